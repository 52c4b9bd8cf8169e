/* Where in a matrix product the errors are: a map for each method, side by side, in the colours of one scale. */
#pragma once

#include "reports/canvas/canvas.h"
#include "src/results/results.h"

/* Of series of the same data, each with a map; `title` is theirs. */
void error_map(const struct series *const *series, size_t count, const char *title, struct picture *picture);
