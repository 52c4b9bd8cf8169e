/* A chart in the HTML report: its picture, its caption, and its numbers folded under it. */
#ifndef ULPSCOPE_FIGURE_H
#define ULPSCOPE_FIGURE_H

#include "../chart/chart.h"
#include "page.h"

/* A picture for which the page has no room is named instead: it is in the folder that --svg writes. */
enum status figure(struct page *page, const struct chart *chart);

/* A table behind a line that opens it; frees the grid. */
void folded_grid(struct page *page, struct grid *grid, const char *summary);

#endif
