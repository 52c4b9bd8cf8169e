/* sizes: how much was measured. */
#include "reports/page/page.h"

static void write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    page_element(page, "p", "%zu series.", results->series_count);
}

const struct section section_sizes = {.id = "sizes", .title = "Sizes", .write = write};
