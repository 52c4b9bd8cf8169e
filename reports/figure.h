/* A picture in the HTML report, with its caption and its numbers folded under it. */
#ifndef ULPSCOPE_FIGURE_H
#define ULPSCOPE_FIGURE_H

#include "page.h"
#include "picture.h"

/* `caption` NULL: none. */
void figure(struct page *page, const struct picture *picture, const char *alternative, const char *caption);

/* A table behind a line that opens it; frees the grid. */
void folded_grid(struct page *page, struct grid *grid, const char *summary);

#endif
