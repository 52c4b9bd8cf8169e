#include "figure.h"

void figure(struct page *page, const struct picture *picture, const char *alternative, const char *caption)
{
    page_open(page, "figure");
    if (picture->svg) {
        page_open(page, "div");
        page_attribute(page, "class", "panel");
        page_attribute(page, "tabindex", "0");
        page_svg(page, picture->svg, picture->length, alternative);
        page_close(page);
        if (caption)
            page_element(page, "figcaption", "%s", caption);
    } else {
        page_open(page, "p");
        page_attribute(page, "class", "missing");
        page_text(page, "There is no picture: %s. The numbers are in the table below.", picture->reason);
        page_close(page);
    }
    page_close(page);
}

void folded_grid(struct page *page, struct grid *grid, const char *summary)
{
    page_open(page, "details");
    page_element(page, "summary", "%s", summary);
    page_grid(page, grid);
    page_close(page);
    grid_free(grid);
}
