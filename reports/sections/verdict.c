/* verdict: which method may be used on which data, and what it costs: a sentence, the picture, the ranked table. */
#include "reports/verdict/verdict.h"
#include "reports/page/page.h"
#include "reports/verdict/verdict_table.h"

/* The table, and what its columns mean. */
static void titled_grid(struct page *page, const char *title, const char *legend, struct grid grid, size_t top)
{
    grid.top = top;
    page_heading(page, 2, "%s", title);
    page_named_grid(page, &grid, title);
    page_element_as(page, "p", "context", legend);
    grid_free(&grid);
}

static void first_picture(struct page *page, const struct results *results)
{
    FREED_BY(chart_free) struct chart chart = {0};
    if (charts_first(results, &chart))
        figure_first(page, &chart);
}

static void ranked(struct page *page, const struct report *report, const struct results *results,
                   const struct verdict *verdict)
{
    char legend[RANKING_LEGEND];
    ranking_legend(results, verdict, legend);
    titled_grid(page, "Methods ranked", legend, ranking_grid(results, verdict), report->top);
}

static void tables(struct page *page, const struct report *report, const struct results *results,
                   const struct verdict *verdict)
{
    char legend[RANKING_LEGEND];
    which_method_legend(results, verdict, legend);
    titled_grid(page, "Which method on which data?", legend, which_method_grid(results, verdict), report->top);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    FREED_BY(verdict_free) struct verdict verdict = {0};
    verdict_make(results, &report->target, &verdict);
    char *sentences = verdict_sentences(&verdict), *others = sentences + strcspn(sentences, "\n"),
         *run = run_sentence(results);
    page_open_as(page, "p", "answer");
    page_text(page, "%.*s", (int)(others - sentences), sentences);
    page_close(page);
    first_picture(page, results);
    if (verdict.row_count > 0)
        ranked(page, report, results, &verdict);
    page_list(page, "verdict", memory_copy(others), "");
    page_element_as(page, "p", "context", run);
    if (verdict.row_count > 0)
        tables(page, report, results, &verdict);
    free_all(sentences, run);
}

const struct section section_verdict = {.id = "verdict", .share = 1350, .write = write};
