/* paragraph: how this was measured, for a paper; of several runs one each. */
#include "reports/group.h"
#include "reports/report.h"

/* Nothing where the run does not know it. */
static void append_fact(const struct results *results, const char *topic, const char *name, const char *before,
                        const char *after, struct text *to)
{
    const char *value = results_fact(results, topic, name);
    if (*value)
        text_append(to, "%s%s%s", before, value, after);
}

static void append_methods(const struct results *results, struct text *to)
{
    const struct study_record *study = &results->study;
    text_append(to, " Method%s: ", plural(study->method_count));
    for (size_t i = 0; i < study->method_count; i++) {
        const char *id = study->methods[i].id, *label = results_label(results, id);
        text_append(to, "%s%s", i > 0 ? ", " : "", label);
        if (label != id)
            text_append(to, " (%s)", id);
    }
}

/* A file by what it holds. */
static void append_data(const struct results *results, struct text *to)
{
    const struct study_record *study = &results->study;
    text_append(to, ". Data: ");
    for (size_t i = 0; i < study->entry_count; i++) {
        const struct entry_record *entry = &study->entries[i];
        text_append(to, "%s%s, %" PRIu64 " %s%s%s", i > 0 ? "; " : "", entry->text, entry->trials,
                    entry->permuted ? "order" : "trial", plural(entry->trials), entry->spec_count > 1 ? " each" : "");
    }
    for (size_t i = 0; i < results->fact_count; i++)
        if (strcmp(results->facts[i].topic, "data") == 0)
            text_append(to, "; %s has %s", results->facts[i].name, results->facts[i].value);
    text_append(to, "; seed %" PRIu64, study->seed);
    bool launched = false; /* a plug-in is not */
    for (size_t i = 0; i < results->series_count; i++)
        launched = launched || results->series[i].backend != BACKEND_OF(plugin);
    for (size_t i = 0; launched && i < study->launch_count; i++) {
        char launch[LAUNCH_TEXT];
        launch_text(study->launches[i], launch);
        text_append(to, "%s%s", i > 0 ? ", " : study->launch_count == 1 ? ". Launch: " : ". Launches: ", launch);
    }
}

static uint64_t sums_by(const struct results *results, const struct series *model, size_t *first)
{
    uint64_t sums = 0;
    *first = results->series_count;
    for (size_t i = results->series_count; i-- > 0;)
        if (results->series[i].backend == model->backend && strcmp(results->series[i].device, model->device) == 0) {
            sums += results->series[i].count;
            *first = i;
        }
    return sums;
}

/* " 2600 sums were computed by replays on the host, in the order of the kernels' additions." */
static void append_machines(const struct results *results, struct text *to)
{
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        size_t first;
        const uint64_t sums = sums_by(results, series, &first);
        if (first < i)
            continue;
        text_append(to, " %" PRIu64 " %s%s w%s computed by %s%s", sums, results_noun(results), plural(sums),
                    sums == 1 ? "as" : "ere",
                    series->backend == BACKEND_OF(plugin) ? "plug-ins, in processes of their own"
                    : series->backend->runs_kernels       ? "kernels on "
                                                    : "the host, where replays keep the kernels' order of additions",
                    series->backend == BACKEND_OF(cuda) ? series->device : "");
        if (series->backend == BACKEND_OF(cuda)) {
            append_fact(results, "device", "driver", ", driver ", "", to);
            append_fact(results, "device", "CUDA runtime", ", CUDA ", "", to);
        }
        text_append(to, ".");
    }
    append_fact(results, "host", "processor", " The host has ", "", to);
    append_fact(results, "host", "system", ", ", "", to);
    append_fact(results, "host", "kernel", " ", "", to);
    append_fact(results, "build", "C compiler", "; built with ", "", to);
    if (*results_fact(results, "host", "processor"))
        text_append(to, ".");
}

char *measured_paragraph(const struct results *results)
{
    struct text text = {0};
    const uint64_t share = results->study.cases;
    text_append(&text, "Errors were measured with ulpscope");
    append_fact(results, "program", "version", " ", "", &text);
    append_fact(results, "program", "commit", " (commit ", ")", &text);
    append_fact(results, "run", "date", " on ", "", &text);
    text_append(&text, ".");
    append_methods(results, &text);
    append_data(results, &text);
    text_append(&text, ".");
    append_machines(results, &text);
    text_append(&text, " Each was compared with the exact result, which is added up in integers without a rounding");
    append_fact(results, "library", "MPFR", " (MPFR ", "", &text);
    append_fact(results, "library", "GMP", ", GMP ", "", &text);
    if (*results_fact(results, "library", "MPFR"))
        text_append(&text, ")");
    text_append(&text, "; an error is rounded once.");
    if (results->cases < share)
        text_append(&text, " Incomplete: %" PRIu64 " of %" PRIu64 " data sets were summed.", results->cases, share);
    return text_take(&text);
}

static enum status paragraph_write(const struct report *report, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    for (size_t r = 0; r < report->run_count; r++) {
        OWNED char *paragraph = measured_paragraph(&report->runs[r]);
        fputs(r > 0 ? "\n" : "", out.file);
        clean_line(out.file, "%s", paragraph);
    }
    return output_close(&out);
}

const struct report_format report_paragraph = {
    .id = "paragraph",
    .option = "paragraph",
    .summary = "how this was measured, to paste into a paper",
    .write = paragraph_write,
};
