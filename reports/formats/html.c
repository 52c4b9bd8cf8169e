/* html: report.html, one file that needs no network and no JavaScript. */
#include "reports/comparison/comparison.h"
#include "reports/incomplete.h"

/* Ids and headings of a run among several are its own. */
static void enter_run(struct page *page, const struct report *report, size_t run)
{
    if (report->run_count > 1)
        snprintf(page->prefix, sizeof page->prefix, "run-%zu-", run + 1);
    page->deeper = report->run_count > 1;
}

static void leave_run(struct page *page)
{
    *page->prefix = '\0';
    page->deeper = 0;
}

/* Of several runs each is folded under its name. */
static void write_run(struct page *page, const struct report *report, size_t run)
{
    const struct results *results = &report->runs[run];
    if (report->run_count == 1) {
        sections_write(page, report, results);
        return;
    }
    page_fold(page, 2, false, report->names[run], "run-%zu", run + 1);
    enter_run(page, report, run);
    sections_write(page, report, results);
    leave_run(page);
    page_unfold(page);
}

static void say_incomplete(struct page *page, const struct report *report)
{
    OWNED char *sentence = incomplete_sentence(report);
    if (*sentence) {
        page_element_as(page, "p", "missing", sentence);
    }
}

static enum status write_page(struct page *page, const struct report *report)
{
    page_unfold_box(page);
    say_incomplete(page, report);
    page_element(page, "h1", "%s", report->runs[0].study.title);
    if (report->run_count > 1) {
        page_allow(page, COMPARISON_SHARE * 1000);
        TRY(comparison_section(page, report));
        page_say_left_out(page);
    }
    for (size_t r = 0; r < report->run_count; r++)
        write_run(page, report, r);
    return OK;
}

static enum status html_write(const struct report *report, const char *path)
{
    struct page page;
    page_begin(&page, report->runs[0].study.title);
    const enum status status = write_page(&page, report);
    return page_end(&page, status, path);
}

const struct report_format report_html = {
    .id = "html",
    .option = "html",
    .file_name = "report.html",
    .summary = "the report for a browser: tables, pictures, worst cases",
    .write = html_write,
};
