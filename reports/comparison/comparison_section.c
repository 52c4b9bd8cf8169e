#include "comparison_section.h"

#include "comparison_view.h"

enum { CHANGED_MOST = 200 };

static void write_part(struct page *page, const struct comparison_part *part)
{
    page_heading(page, 4, "%s", part->title);
    page_open(page, "p");
    page_attribute(page, "class", "context");
    page_text(page, "%s", part->note);
    page_close(page);
    page_grid(page, &part->grid);
}

static enum status write_comparison(struct page *page, const struct report *report, size_t other)
{
    struct comparison_view view;
    const enum status status = comparison_view_make(report, other, CHANGED_MOST, &view);
    if (status == OK) {
        page_heading(page, 3, "%s: %s", view.heading, report->names[other]);
        page_element(page, "p", "%s", view.sentence);
        for (size_t i = 0; i < view.part_count; i++)
            write_part(page, &view.parts[i]);
    }
    comparison_view_free(&view);
    return status;
}

void comparison_section_contents(struct page *page)
{
    page_open(page, "ul");
    page_open(page, "li");
    page_link(page, "Comparison", "#comparison");
    page_close(page);
    page_close(page);
}

enum status comparison_section(struct page *page, const struct report *report)
{
    page_open(page, "section");
    page_identify(page, "comparison");
    page_heading(page, 2, "Comparison");
    struct grid runs = comparison_runs(report);
    page_grid(page, &runs);
    grid_free(&runs);
    for (size_t r = 1; r < report->run_count; r++)
        TRY(write_comparison(page, report, r));
    page_close(page);
    return OK;
}
