#include "baseline.h"

#include "baseline_name.h"
#include "reports/clean_text.h"
#include "src/base/text.h"
#include "src/gate/limits/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of files ---- */

static bool is_file(const char *name)
{
    return strpbrk(name, "/.") != NULL;
}

char *baseline_path(const char *name, const char *folder)
{
    char *path = NULL;
    const char *const slash = *folder && folder[strlen(folder) - 1] == '/' ? "" : "/";
    if (is_file(name))
        return strdup(name);
    return asprintf(&path, "%s%s%s.json", folder, slash, name) < 0 ? NULL : path;
}

enum status baseline_check_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (is_file(name) || (*name && name[strspn(name, letters)] == '\0'))
        return OK;
    complain(
        "\"%s\" is no name of a baseline; expected letters, digits, - and _, as \"main\"; or name its file, with a "
        "/ or a .",
        name);
    return BAD_INPUT;
}

/* ---- a run as a baseline ---- */

void baseline_free(struct baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++) {
        struct baseline_series *line = &baseline->series[i];
        free(line->method);
        free(line->data);
        free(line->backend);
        free(line->device);
        free(line->toolkit);
    }
    free(baseline->series);
    free(baseline->path);
    free(baseline->title);
    *baseline = (struct baseline){0};
}

static bool is_kernel(const struct series *series)
{
    return strcmp(series->backend, "cuda") == 0;
}

/* What compiled the kernels, and of a black box whose code it is: "nvcc 13.0.48, CCCL 3.0.1". */
static char *toolkit_of(const struct results *results, const struct series *series)
{
    struct text text = {0};
    text_append(&text, "%s", results_fact(results, "build", "CUDA compiler"));
    for (size_t m = 0; m < results->study.method_count; m++) {
        const struct method_record *method = &results->study.methods[m];
        const char *version = results_fact(results, "library", method->accumulator);
        if (method->is_black_box && strcmp(method->id, series->method) == 0 && *version)
            text_append(&text, ", %s", version);
    }
    char *toolkit = text_take(&text), *clean = toolkit ? clean_text(toolkit) : NULL;
    free(toolkit);
    return clean;
}

/* "x.csv" of the data "x.csv:column=2". */
static bool is_data_of(const char *path, const char *data)
{
    const size_t length = strlen(path);
    return strncmp(path, data, length) == 0 && (data[length] == '\0' || data[length] == ':');
}

/* "14c5..." of a fact "sha256 14c5..."; NULL: it is none of a file. */
static const char *hash_in(const struct provenance_fact *fact)
{
    static const char before[] = "sha256 ";
    const size_t skipped = sizeof before - 1;
    const bool is_hash = strcmp(fact->topic, "data") == 0 && strncmp(fact->value, before, skipped) == 0 &&
                         strlen(fact->value) == skipped + FILE_HASH_TEXT - 1;
    return is_hash ? fact->value + skipped : NULL;
}

/* The SHA-256 of the file that the data are of; "" when they are computed. */
static void file_of(const struct results *results, const char *data, char file[FILE_HASH_TEXT])
{
    size_t longest = 0;
    *file = '\0';
    for (size_t i = 0; i < results->fact_count; i++) {
        const struct provenance_fact *fact = &results->facts[i];
        const char *hash = hash_in(fact);
        if (!hash || !is_data_of(fact->name, data) || strlen(fact->name) <= longest)
            continue;
        longest = strlen(fact->name);
        memcpy(file, hash, FILE_HASH_TEXT);
    }
}

bool baseline_is_unstable(const struct results *results, const struct series *series)
{
    return series_is_unordered(results, series);
}

static void take_values(const struct series *series, struct baseline_series *line)
{
    for (int m = 0; m < METRICS; m++)
        for (int s = 0; s < GATE_STATISTICS; s++)
            line->values[m][s] = metric_table[m].summarised ? gate_value(series, m, (enum gate_statistic)s) : NAN;
    line->spread = series->spread;
    line->nonfinite = wrong_nonfinite(series);
}

static enum status take_series(const struct results *results, const struct named *named, struct baseline_series *line)
{
    const struct series *series = named->series;
    const bool of_kernel = is_kernel(series);
    *line = (struct baseline_series){
        .method = clean_text(series->method),
        .data = strdup(named->name.data),
        .backend = strdup(series->backend),
        .launch = series->launch,
        .which = named->name.which,
        .device = of_kernel ? clean_text(series->device) : strdup(""),
        .toolkit = of_kernel ? toolkit_of(results, series) : strdup(""),
        .n = series->n,
        .trials = series->count,
        .unstable = of_kernel && (series_is_unordered(results, series) || series->distinct_bits > 1),
    };
    memcpy(line->bits, series->bits_hash, sizeof line->bits);
    file_of(results, series->data, line->file);
    take_values(series, line);
    const bool complete = line->method && line->data && line->backend && line->device && line->toolkit;
    return complete ? OK : out_of_memory("the baseline");
}

static enum status refuse_incomplete(const struct results *results)
{
    const char *missing = results_fact(results, "run", "not measured");
    const size_t partial = results_partial(results);
    if (results->cases >= results->study.cases && !*missing && partial == 0)
        return OK;
    complain("the run is incomplete: %" PRIu64 " of %" PRIu64 " data sets were measured, and %zu series lack sums; "
             "expected all of them, since half a run is no baseline; finish it with `ulpscope run ... --resume`",
             results->cases, results->study.cases, partial);
    return BAD_INPUT;
}

enum status baseline_of(const struct results *results, struct baseline *baseline)
{
    enum status status;
    struct names names = {0};
    *baseline = (struct baseline){
        .seed = results->study.seed,
        .title = clean_text(results->study.title ? results->study.title : ""),
        .series = calloc(results->series_count + 1, sizeof *baseline->series),
    };
    TRY_DONE(refuse_incomplete(results));
    if (!baseline->title || !baseline->series)
        TRY_DONE(out_of_memory("the baseline"));
    TRY_DONE(baseline_names_of(results, &names));
    for (size_t i = 0; i < names.count; i++)
        TRY_DONE(take_series(results, &names.list[i], &baseline->series[baseline->count++]));
done:
    baseline_names_free(&names);
    return status;
}

/* ---- a series in a baseline ---- */

/* Only a spec that is listed twice makes two series of one name, and specs are fewer than series.  A run that was made
 * by hand has no study. */
static bool is_listed_once(const struct study_record *study, const char *data)
{
    size_t listed = 0;
    for (size_t e = 0; e < study->entry_count; e++)
        for (size_t i = 0; i < study->entries[e].spec_count; i++)
            listed += strcmp(study->entries[e].specs[i].text, data) == 0;
    return listed == 1;
}

/* How many series of the same name the run has before this one. */
static uint64_t place_among_equals(const struct results *results, const struct series *series)
{
    uint64_t place = 0;
    if (is_listed_once(&results->study, series->data))
        return 0;
    for (const struct series *s = results->series; s < series; s++)
        place += s->n == series->n && s->launch.blocks == series->launch.blocks &&
                 s->launch.threads == series->launch.threads && strcmp(s->method, series->method) == 0 &&
                 strcmp(s->data, series->data) == 0 && strcmp(s->backend, series->backend) == 0;
    return place;
}

const struct baseline_series *baseline_find(const struct baseline *baseline, const struct results *results,
                                            const struct series *series)
{
    const struct baseline_series wanted = {
        .method = (char *)series->method,
        .data = clean_text(series->data),
        .backend = (char *)series->backend,
        .launch = series->launch,
        .which = place_among_equals(results, series),
    };
    const struct baseline_series *found =
        wanted.data ? bsearch(&wanted, baseline->series, baseline->count, sizeof *baseline->series, baseline_name_order)
                    : NULL;
    free(wanted.data);
    return found;
}

/* ---- whether the two are alike ---- */

enum likeness baseline_likeness(const struct baseline *baseline, const struct baseline_series *before,
                                const struct results *results, const struct series *series, char why[REASON_SIZE])
{
    const struct {
        const char *form;
        uint64_t then, now;
    } counts[] = {
        {"the baseline has the seed %" PRIu64 ", the run %" PRIu64, baseline->seed, results->study.seed},
        {"the baseline has data of n = %" PRIu64 ", the run of %" PRIu64, before->n, series->n},
        {"the baseline has %" PRIu64 " sums, the run %" PRIu64, before->trials, series->count},
    };
    *why = '\0';
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].then != counts[i].now) {
            snprintf(why, REASON_SIZE, counts[i].form, counts[i].then, counts[i].now);
            return OTHER_STUDY;
        }
    char file[FILE_HASH_TEXT];
    file_of(results, series->data, file);
    if (strcmp(before->file, file) != 0) {
        strcpy(why, "the data file is another one than the baseline's");
        return OTHER_STUDY;
    }
    if (!is_kernel(series))
        return LIKE;
    char *device = clean_text(series->device), *toolkit = toolkit_of(results, series);
    const char *const then[] = {before->device, before->toolkit}, *const now[] = {device, toolkit};
    for (size_t i = 0; i < 2 && !*why; i++)
        if (!now[i] || strcmp(then[i], now[i]) != 0)
            snprintf(why, REASON_SIZE, "the baseline is of %.60s, the run of %.60s", then[i], now[i] ? now[i] : "?");
    free(device);
    free(toolkit);
    return *why ? ELSEWHERE : LIKE;
}
