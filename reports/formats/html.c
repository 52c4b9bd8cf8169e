/* html: report.html, one file that needs no network and no JavaScript. */
#include "../../src/output.h"
#include "../report.h"
#include "../section.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Those of the study that could be run. */
static size_t measured_methods(const struct results *results)
{
    size_t count = 0;
    for (size_t m = 0; m < results->study.method_count; m++)
        for (size_t i = 0; i < results->series_count; i++)
            if (strcmp(results->series[i].method, results->study.methods[m].id) == 0) {
                count++;
                break;
            }
    return count;
}

/* "4 methods on 2 kinds of data, 10 specs in all: 2600 sums, by replay on host, seed 1." */
static void summary_sentence(struct page *page, const struct results *results)
{
    const struct study_record *study = &results->study;
    uint64_t sums = 0;
    size_t specs = 0;
    for (size_t i = 0; i < results->series_count; i++)
        sums += results->series[i].count;
    for (size_t i = 0; i < study->entry_count; i++)
        specs += study->entries[i].spec_count;
    page_open(page, "p");
    const size_t measured = measured_methods(results);
    if (measured < study->method_count)
        page_text(page, "%zu of ", measured);
    page_text(page, "%zu method%s on %zu kind%s of data", study->method_count, plural(study->method_count),
              study->entry_count, plural(study->entry_count));
    if (specs != study->entry_count)
        page_text(page, ", %zu specs in all", specs);
    page_text(page, ": %" PRIu64 " sum%s", sums, sums == 1 ? "" : "s");
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        bool said = false;
        for (size_t j = 0; j < i; j++)
            said = said || (strcmp(series->backend, results->series[j].backend) == 0 &&
                            strcmp(series->device, results->series[j].device) == 0);
        if (!said)
            page_text(page, "%s%s on %s", i == 0 ? ", by " : " and ", series->backend, series->device);
    }
    page_text(page, ", seed %" PRIu64 ". Each is held against the exact sum s.", study->seed);
    page_close(page);
}

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

static void contents(struct page *page, const struct report *report)
{
    page_open(page, "nav");
    page_attribute(page, "aria-label", "Contents");
    for (size_t r = 0; r < report->run_count; r++) {
        if (report->run_count > 1)
            page_element(page, "p", "%s", report->names[r]);
        enter_run(page, report, r);
        page_open(page, "ul");
        sections_contents(page, &report->runs[r]);
        page_close(page);
        leave_run(page);
    }
    page_close(page);
}

static enum status write_run(struct page *page, const struct report *report, size_t run)
{
    const struct results *results = &report->runs[run];
    if (report->run_count > 1) {
        page_open(page, "h2");
        page_identify(page, "run-%zu", run + 1);
        page_text(page, "%s", report->names[run]);
        page_close(page);
    }
    summary_sentence(page, results);
    enter_run(page, report, run);
    TRY(sections_write(page, report, results));
    leave_run(page);
    return OK;
}

static enum status write_page(struct page *page, const struct report *report)
{
    page_element(page, "h1", "%s", report->runs[0].study.title);
    contents(page, report);
    for (size_t r = 0; r < report->run_count; r++)
        TRY(write_run(page, report, r));
    return OK;
}

static enum status html_write(const struct report *report, const char *path)
{
    struct output out;
    struct page page;
    TRY(output_open(&out, path));
    page_begin(&page, report->runs[0].study.title);
    enum status status = write_page(&page, report);
    const enum status ended = page_end(&page, out.file);
    if (status == OK)
        status = ended;
    if (status == OK)
        return output_close(&out);
    output_discard(&out);
    return status;
}

const struct report_format report_html = {
    .id = "html",
    .option = "html",
    .file_name = "report.html",
    .summary = "the report for a browser: tables, pictures, worst cases",
    .write = html_write,
};
