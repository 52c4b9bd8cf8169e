/* A chart as an SVG: 960 pixels wide, panels side by side in columns, numbers only at the left and at the foot.  Equal
 * charts give equal bytes.
 */
#pragma once

#include "chart.h"
#include "reports/canvas/canvas.h"

void chart_svg(const struct chart *chart, struct picture *picture);

/* The same as a file, which appears whole or not at all. */
enum status chart_svg_write(const struct chart *chart, const char *path);
