#include "baseline.h"

static bool is_file(const char *name)
{
    return strpbrk(name, "/.") != NULL;
}

char *baseline_path(const char *name, const char *folder)
{
    const char *const slash = *folder && folder[strlen(folder) - 1] == '/' ? "" : "/";
    return is_file(name) ? memory_copy(name) : text_made("%s%s%s.json", folder, slash, name);
}

enum status baseline_check_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (is_file(name) || (*name && name[strspn(name, letters)] == '\0'))
        return OK;
    return bad_input("\"%s\" is not a baseline name; expected letters, digits, - and _, as \"main\"; or name its file, "
                     "with a / or a .",
                     name);
}

void baseline_free(struct baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++) {
        struct baseline_series *line = &baseline->series[i];
        free_all(line->method, line->data, line->device, line->toolkit);
    }
    free_all(baseline->series, baseline->path, baseline->title);
    *baseline = (struct baseline){0};
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
    OWNED char *toolkit = text_take(&text);
    return clean_text(toolkit);
}

static void take_values(const struct series *series, struct baseline_series *line)
{
    for (int m = 0; m < METRICS; m++)
        for (int s = 0; s < GATE_STATISTICS; s++)
            line->values[m][s] = metric_table[m].summarised ? gate_value(series, m, (enum gate_statistic)s) : NAN;
    line->spread = series->spread;
    line->nonfinite = wrong_nonfinite(series);
}

static struct baseline_series take_series(const struct results *results, const struct named *named)
{
    const struct series *series = named->series;
    const bool of_kernel = series->backend->runs_kernels;
    struct baseline_series line = {
        .method = clean_text(series->method),
        .data = memory_copy(named->name.data),
        .format = series->format,
        .operation = series->operation,
        .backend = series->backend,
        .launch = series->launch,
        .which = named->name.which,
        .device = of_kernel ? clean_text(series->device) : memory_copy(""),
        .toolkit = of_kernel ? toolkit_of(results, series) : memory_copy(""),
        .n = series->n,
        .trials = series->count,
        .unstable = of_kernel && (series_is_unordered(results, series) || series->distinct_bits > 1),
    };
    memcpy(line.bits, series->bits_hash, sizeof line.bits);
    results_data_file(results, series->data, line.file);
    take_values(series, &line);
    return line;
}

static enum status refuse_incomplete(const struct results *results)
{
    const char *missing = results_fact(results, "run", "not measured");
    const size_t partial = results_partial(results);
    if (results->cases >= results->study.cases && !*missing && partial == 0)
        return OK;
    return bad_input("the run is incomplete: %" PRIu64 " of %" PRIu64
                     " data sets were measured, and %zu series lack sums; expected all of them, since half a run "
                     "cannot be a baseline; finish it with `ulpscope run ... --resume`",
                     results->cases, results->study.cases, partial);
}

enum status baseline_of(const struct results *results, struct baseline *baseline)
{
    *baseline = (struct baseline){
        .seed = results->study.seed,
        .title = clean_text(results->study.title ? results->study.title : ""),
        .series = memory_cleared(results->series_count + 1, sizeof *baseline->series),
    };
    TRY(refuse_incomplete(results));
    FREED_BY(baseline_names_free) struct names names = baseline_names_of(results);
    for (size_t i = 0; i < names.count; i++)
        baseline->series[baseline->count++] = take_series(results, &names.list[i]);
    return OK;
}

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
        place += s->n == series->n && same_launch(s->launch, series->launch) &&
                 strcmp(s->method, series->method) == 0 && strcmp(s->data, series->data) == 0 &&
                 s->backend == series->backend;
    return place;
}

const struct baseline_series *baseline_find(const struct baseline *baseline, const struct results *results,
                                            const struct series *series)
{
    const struct baseline_series wanted = {
        .method = (char *)series->method,
        .data = clean_text(series->data),
        .backend = series->backend,
        .launch = series->launch,
        .which = place_among_equals(results, series),
    };
    const struct baseline_series *found =
        bsearch(&wanted, baseline->series, baseline->count, sizeof *baseline->series, baseline_name_order);
    free(wanted.data);
    return found;
}

struct held baseline_held(const struct baseline *baseline, const struct baseline_series *line)
{
    const double *error = line->values[METRIC_ulp_error];
    struct held held = {
        .format = line->format,
        .operation = line->operation,
        .seed = baseline->seed,
        .n = line->n,
        .sums = line->trials,
        .results = line->unstable ? 2 : 1,
        .bits = line->bits,
        .nonfinite = line->nonfinite,
        .max = error[GATE_MAX],
        .p99 = error[GATE_P99],
        .p50 = error[GATE_P50],
    };
    memcpy(held.file, line->file, sizeof held.file);
    return held;
}

enum likeness baseline_likeness(const struct baseline *baseline, const struct baseline_series *before,
                                const struct results *results, const struct series *series, char why[REASON_SIZE])
{
    const struct held then = baseline_held(baseline, before), now = held_of(results, series);
    if (!became_same_sums(&then, &now, why))
        return OTHER_STUDY;
    if (!series->backend->runs_kernels)
        return LIKE;
    OWNED char *device = clean_text(series->device), *toolkit = toolkit_of(results, series);
    const char *const there[] = {before->device, before->toolkit}, *const here[] = {device, toolkit};
    for (size_t i = 0; i < 2 && !*why; i++)
        if (strcmp(there[i], here[i]) != 0)
            snprintf(why, REASON_SIZE, "the baseline is of %.60s, the run of %.60s", there[i], here[i]);
    return *why ? ELSEWHERE : LIKE;
}

/* ---- in words ---- */

char *baseline_heading(const struct baseline *baseline)
{
    const struct baseline_series *first = baseline->series;
    bool varies = baseline->count == 0;
    struct text text = {0};
    for (size_t i = 1; i < baseline->count; i++)
        varies |= !same_launch(first->launch, first[i].launch) || first->backend != first[i].backend;
    text_append(&text, "%s: %zu series, seed %" PRIu64, baseline->title, baseline->count, baseline->seed);
    if (!varies)
        text_append(&text, "; %" PRIu32 " blocks of %" PRIu32 " threads, %s", first->launch.blocks,
                    first->launch.threads, first->backend->id);
    return text_take(&text);
}
