#include "comparison.h"

/* Changed series that are shown at most. */
enum { CHANGED_MOST = 200 };

static void write_part(struct page *page, struct comparison_part *part, size_t top)
{
    part->grid.top = top;
    page_heading(page, 4, "%s", part->title);
    page_element_as(page, "p", "context", part->note);
    page_named_grid(page, &part->grid, part->title);
}

static enum status write_comparison(struct page *page, const struct report *report, size_t other)
{
    FREED_BY(comparison_view_free) struct comparison_view view = {0};
    TRY(comparison_view_make(report, other, CHANGED_MOST, &view));
    page_heading(page, 3, "%s: %s", view.heading, report->names[other]);
    page_element(page, "p", "%s", view.sentence);
    for (size_t i = 0; i < view.part_count; i++)
        write_part(page, &view.parts[i], report->top);
    return OK;
}

enum status comparison_section(struct page *page, const struct report *report)
{
    page_open(page, "section");
    page_identify(page, "comparison");
    page_heading(page, 2, "Comparison");
    struct grid runs = comparison_runs(report);
    page_named_grid(page, &runs, "The runs");
    grid_free(&runs);
    for (size_t r = 1; r < report->run_count; r++)
        TRY(write_comparison(page, report, r));
    page_close(page);
    return OK;
}
