/* A chart as an SVG, drawn by gnuplot: 960 pixels wide, panels side by side in columns, numbers only at the left and at
 * the foot.  Equal charts give equal bytes.
 */
#ifndef ULPSCOPE_CHART_SVG_H
#define ULPSCOPE_CHART_SVG_H

#include "chart.h"
#include "gnuplot.h"

struct picture {
    char *svg; /* NULL: there is none, and `reason` says why */
    size_t length;
    char reason[GNUPLOT_REASON];
};

enum status chart_svg(const struct chart *chart, struct picture *picture);
void picture_free(struct picture *picture);

/* What gnuplot is given; NULL: out of memory, and it was said.  Allocated. */
char *chart_script(const struct chart *chart);

#endif
