/* verdict: which method may be used on which data, and what it costs. */
#include "reports/page/section.h"
#include "reports/speed_text.h"
#include "reports/verdict/verdict_table.h"
#include "reports/verdict/verdict_text.h"

#include <stdlib.h>
#include <string.h>

/* The sentences stand one per line. */
static void sentences(struct page *page, const struct verdict *verdict)
{
    char *text = verdict_sentences(verdict), *rest = text;
    page->failed = page->failed || !text;
    page_open(page, "ul");
    page_attribute(page, "class", "verdict");
    for (char *line; rest && (line = strsep(&rest, "\n"));)
        if (*line)
            page_element(page, "li", "%s", line);
    page_close(page);
    free(text);
}

static void note(struct page *page, const char *text)
{
    page_open(page, "p");
    page_attribute(page, "class", "context");
    page_text(page, "%s", text);
    page_close(page);
}

static void named_grid(struct page *page, struct grid grid, const char *name)
{
    page_named_grid(page, &grid, name);
    grid_free(&grid);
}

static void levels(struct page *page, const struct verdict *verdict)
{
    page_heading(page, 3, "What the words and colours mean");
    named_grid(page, level_grid(verdict), "Words of the table");
}

static void tables(struct page *page, const struct results *results, const struct verdict *verdict)
{
    page_heading(page, 3, "Which method may I use?");
    char legend[LEGEND_TEXT];
    which_method_legend(results, legend);
    note(page, legend);
    named_grid(page, which_method_grid(results, verdict), "The cheapest method within each limit");
    page_heading(page, 3, "Every method on every kind of data");
    note(page, "The largest error in ulp, in brackets the median, and what the largest means.");
    named_grid(page, verdict_grid(results, verdict), "Largest and median error of each method");
    levels(page, verdict);
}

static enum status write(struct page *page, const struct report *report, const struct results *results)
{
    struct verdict verdict;
    enum status status;
    TRY_DONE(verdict_make(results, &report->target, &verdict));
    sentences(page, &verdict);
    if (verdict.row_count > 0)
        tables(page, results, &verdict);
done:
    verdict_free(&verdict);
    return status;
}

const struct section section_verdict = {.id = "verdict", .title = "Verdict", .share = 1500, .write = write};
