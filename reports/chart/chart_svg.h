/* A chart as an SVG: 960 pixels wide, panels side by side in columns, numbers only at the left and at the foot.  Equal
 * charts give equal bytes.
 */
#pragma once

#include "chart.h"
#include "reports/canvas/canvas.h"

void chart_svg(const struct chart *chart, struct picture *picture);

/* The same as a file, which appears whole or not at all. */
enum status chart_svg_write(const struct chart *chart, const char *path);

/* The marks of a panel of a chart, drawn into its frame, and the sample of a mark in the legend. */

/* In pixels of the picture. */
struct frame {
    double left, top, right, bottom;
};

/* Where a point is; NaN when it has no place. */
double frame_x(const struct chart *chart, const struct frame *frame, double x);
double frame_y(const struct chart *chart, const struct frame *frame, double y);

void draw_marks(struct canvas *canvas, const struct chart *chart, const struct chart_panel *panel,
                const struct frame *frame);

/* In pixels; it stands with its middle at y. */
double sample_width(const struct chart_mark *mark);
void draw_sample(struct canvas *canvas, const struct chart_mark *mark, double x, double y);
