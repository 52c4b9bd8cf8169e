/* histograms: for each entry of the study what its sums came to, in ulps, and how often each relative error occurred.
 */
#include "reports/overview.h"
#include "reports/page/page.h"

static void histogram_part(struct page *page, const struct results *results, const struct group *group)
{
    FREED_BY(chart_free) struct chart chart = {0};
    histogram_chart(results, group, &chart);
    figure(page, &chart);
}

/* Beside many methods or data the verdict says what a reader looks for. */
enum { METHODS_SHOWN = 24, ENTRIES_SHOWN = 12 };

static void overview_table(struct page *page, const struct overview *overview, bool folded)
{
    if (folded)
        page_folded_grid(page, &overview->grid, "The errors in numbers", overview->context);
    else
        page_named_grid(page, &overview->grid, overview->context);
}

/* The picture, the table and the counts of the sums of one launch and backend. */
static void group_part(struct page *page, const struct results *results, const struct overview *overview)
{
    page_element_as(page, "p", "context", overview->context);
    histogram_part(page, results, &overview->group);
    overview_table(page, overview,
                   results->study.method_count > METHODS_SHOWN || results->study.entry_count > ENTRIES_SHOWN);
}

static void entry_part(struct page *page, const struct results *results, const struct overviews *overviews,
                       size_t entry)
{
    bool measured = false;
    page_open(page, "section");
    page_identify(page, "data-%zu", entry + 1);
    page_open(page, page->deeper ? "h4" : "h3");
    page_element(page, "code", "%s", results->study.entries[entry].text);
    page_close(page);
    for (size_t i = 0; i < overviews->count; i++)
        if (overviews->list[i].group.entry == entry) {
            group_part(page, results, &overviews->list[i]);
            measured = true;
        }
    if (!measured)
        page_element(page, "p", "Nothing was measured on these data.");
    page_close(page);
}

static void legend(struct page *page, const struct overviews *overviews)
{
    const char *lines[LEGEND_MOST];
    const size_t count = overviews_legend(overviews, lines);
    for (size_t i = 0; i < count; i++)
        page_element_as(page, "p", "legend", lines[i]);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    FREED_BY(overviews_free) struct overviews overviews = {0};
    (void)report;
    overviews_make(results, &overviews);
    legend(page, &overviews);
    for (size_t entry = 0; entry < results->study.entry_count; entry++)
        entry_part(page, results, &overviews, entry);
}

const struct section section_histograms = {
    .id = "histograms",
    .title = "Histograms",
    .open = true,
    .share = 1050,
    .write = write,
};
