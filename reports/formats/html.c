/* html: report.html, one file that needs no network and no JavaScript. */
#include "../../src/output.h"
#include "../entry_section.h"
#include "../report.h"

#include <inttypes.h>
#include <string.h>

static const char *title_of(const struct results *results)
{
    return results->study.title;
}

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

static void contents(struct page *page, const struct study_record *study)
{
    page_open(page, "nav");
    page_open(page, "ul");
    for (size_t i = 0; i < study->entry_count; i++) {
        char address[32];
        snprintf(address, sizeof address, "#data-%zu", i + 1);
        page_open(page, "li");
        page_open(page, "a");
        page_attribute(page, "href", address);
        page_element(page, "code", "%s", study->entries[i].text);
        page_close(page);
        page_close(page);
    }
    page_open(page, "li");
    page_open(page, "a");
    page_attribute(page, "href", "#made");
    page_text(page, "How this was made");
    page_close(page);
    page_close(page);
    page_close(page);
    page_close(page);
}

static void legend(struct page *page, const struct overviews *overviews)
{
    const char *lines[LEGEND_MOST];
    const size_t count = overviews_legend(overviews, lines);
    for (size_t i = 0; i < count; i++) {
        page_open(page, "p");
        page_attribute(page, "class", "legend");
        page_text(page, "%s", lines[i]);
        page_close(page);
    }
}

static void open_facts(struct page *page, const char *topic)
{
    page_element(page, "h3", "%s", topic);
    page_open(page, "dl");
    page_attribute(page, "class", "facts");
}

static void study_facts(struct page *page, const struct study_record *study)
{
    char launch[LAUNCH_TEXT];
    open_facts(page, "Study");
    for (size_t i = 0; i < study->method_count; i++) {
        page_element(page, "dt", "%s", study->methods[i].id);
        page_element(page, "dd", "%s; %s", study->methods[i].accumulator_claim, study->methods[i].order_claim);
    }
    for (size_t i = 0; i < study->entry_count; i++) {
        page_element(page, "dt", "data");
        page_open(page, "dd");
        page_element(page, "code", "%s", study->entries[i].text);
        page_text(page, ", %" PRIu64 " trial%s", study->entries[i].trials, plural(study->entries[i].trials));
        page_close(page);
    }
    page_element(page, "dt", "launch");
    page_open(page, "dd");
    for (size_t i = 0; i < study->launch_count; i++) {
        launch_text(study->launches[i], launch);
        page_text(page, "%s%s", i > 0 ? ", " : "", launch);
    }
    page_close(page);
    page_element(page, "dt", "seed");
    page_element(page, "dd", "%" PRIu64, study->seed);
    page_element(page, "dt", "repeats on a device");
    page_element(page, "dd", "%" PRIu64, study->repeats);
    page_close(page);
}

/* Facts come sorted by topic. */
static void how_it_was_made(struct page *page, const struct results *results)
{
    page_open(page, "section");
    page_identify(page, "made");
    page_element(page, "h2", "How this was made");
    study_facts(page, &results->study);
    for (size_t i = 0; i < results->fact_count; i++) {
        const struct provenance_fact *fact = &results->facts[i];
        const bool first = i == 0 || strcmp(fact->topic, results->facts[i - 1].topic) != 0;
        const bool last = i + 1 == results->fact_count || strcmp(fact->topic, results->facts[i + 1].topic) != 0;
        if (first)
            open_facts(page, fact->topic);
        page_element(page, "dt", "%s", fact->name);
        page_element(page, "dd", "%s", fact->value);
        if (last)
            page_close(page);
    }
    page_close(page);
}

static enum status write_page(struct page *page, const struct results *results, const struct overviews *overviews)
{
    page_element(page, "h1", "%s", title_of(results));
    summary_sentence(page, results);
    contents(page, &results->study);
    legend(page, overviews);
    for (size_t entry = 0; entry < results->study.entry_count; entry++)
        TRY(entry_section(page, results, overviews, entry));
    how_it_was_made(page, results);
    return OK;
}

static enum status html_write(const struct report *report, const char *path)
{
    const struct results *results = &report->runs[0];
    struct overviews overviews;
    struct output out;
    struct page page;
    TRY(overviews_make(results, &overviews));
    enum status status = output_open(&out, path);
    if (status != OK) {
        overviews_free(&overviews);
        return status;
    }
    page_begin(&page, title_of(results));
    status = write_page(&page, results, &overviews);
    const enum status ended = page_end(&page, out.file);
    overviews_free(&overviews);
    if (status == OK)
        status = ended;
    if (status != OK) {
        output_discard(&out);
        return status;
    }
    return output_close(&out);
}

const struct report_format report_html = {
    .id = "html",
    .option = "html",
    .file_name = "report.html",
    .summary = "the report for a browser: tables, pictures, worst cases",
    .write = html_write,
};
