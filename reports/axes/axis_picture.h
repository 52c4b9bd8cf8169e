/* The matrix of axes as a picture: a line for each method, a cell for each axis, with how far results are apart. */
#pragma once

#include "axis_matrix.h"
#include "reports/canvas/canvas.h"

/* More lines than these a reader does not compare. */
enum { AXIS_LINES_MOST = 40 };

/* Of the first AXIS_LINES_MOST columns of the matrix, which has one at least. */
void axis_picture(const struct axis_matrix *matrix, const char *title, struct picture *picture);
