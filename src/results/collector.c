#include "collector.h"

#include "gathering.h"
#include "src/base/list.h"

struct collector {
    struct results *results;
    size_t series_capacity;
    struct gathering *gatherings; /* of the current spec: by launch, backend, method */
    size_t gathering_count;
    struct case_bits all_launches; /* of one method: the results of a case */
    bool started;                  /* a row was read */
    size_t entry, spec;
    uint64_t trial;
    char *exact; /* of the last row, and the number that it is; NaN where it is none */
    double s;
};

static struct gathering *gathering_at(const struct collector *collector, size_t launch, size_t backend, size_t method)
{
    const size_t methods = collector->results->study.method_count;
    return &collector->gatherings[(launch * BACKENDS + backend) * methods + method];
}

struct collector *collector_start(struct results *results)
{
    struct collector *collector = calloc(1, sizeof *collector);
    const size_t methods = results->study.method_count;
    if (!collector)
        return NULL;
    collector->results = results;
    collector->gathering_count = results->study.launch_count * BACKENDS * methods;
    collector->gatherings = calloc(collector->gathering_count + 1, sizeof *collector->gatherings);
    results->reproducibility = calloc(BACKENDS * methods + 1, sizeof *results->reproducibility);
    if (!collector->gatherings || !results->reproducibility) {
        collector_free(collector);
        return NULL;
    }
    results->reproducibility_count = BACKENDS * methods;
    for (size_t i = 0; i < results->reproducibility_count; i++)
        results->reproducibility[i] = (struct reproducibility){.method = results->study.methods[i % methods].id,
                                                               .backend = &backend_table[i / methods]};
    return collector;
}

void collector_free(struct collector *collector)
{
    if (!collector)
        return;
    for (size_t i = 0; collector->gatherings && i < collector->gathering_count; i++)
        gathering_free(&collector->gatherings[i]);
    free_all(collector->gatherings, collector->all_launches.bits, collector->exact, collector);
}

/* ---- the end of a case: how many different results equal data gave ---- */

static void note_spread(struct spread *spread, uint64_t distinct)
{
    spread->sets++;
    spread->differing += distinct > 1;
    if (distinct > spread->most)
        spread->most = distinct;
}

/* One method on one backend: its repeats at each launch, and all launches together. */
static enum status end_case_of(struct collector *collector, size_t backend, size_t method)
{
    const struct study_record *study = &collector->results->study;
    struct reproducibility *found = &collector->results->reproducibility[backend * study->method_count + method];
    size_t launches = 0;
    collector->all_launches.count = 0;
    for (size_t l = 0; l < study->launch_count; l++) {
        struct gathering *gathering = gathering_at(collector, l, backend, method);
        if (gathering->bits.count == 0)
            continue;
        TRY(case_bits_add(&collector->all_launches, gathering->bits.bits, gathering->bits.count));
        const uint64_t distinct = gathering_end_case(gathering);
        if (distinct > 0)
            note_spread(&found->repeats, distinct);
        launches++;
    }
    if (launches > 1)
        note_spread(&found->launches, case_bits_distinct(&collector->all_launches));
    return OK;
}

static enum status end_case(struct collector *collector)
{
    for (size_t b = 0; b < BACKENDS; b++)
        for (size_t m = 0; m < collector->results->study.method_count; m++)
            TRY(end_case_of(collector, b, m));
    return OK;
}

/* ---- the end of a spec ---- */

static char *witness_command(const struct collector *collector, const struct series *series, size_t method,
                             uint64_t trial)
{
    const struct study_record *study = &collector->results->study;
    const bool kernels = series->backend == BACKEND_OF(cuda);
    const struct witness witness = {
        .method = series->method,
        .data_arguments = study->entries[collector->entry].specs[collector->spec].arguments,
        .seed = study->seed,
        .trial = trial,
        .launch = series->launch,
        .device = kernels ? results_fact(collector->results, "device", "option") : "host",
        .slow = kernels && series->n > study->methods[method].slow_above,
        .plugin = {study->methods[method].plugin_flag, study->methods[method].plugin},
    };
    return rerun_command(&witness);
}

static enum status end_series(struct collector *collector, struct gathering *gathering, size_t method)
{
    struct results *results = collector->results;
    struct series *series = &gathering->series;
    struct series *list =
        list_with_room(results->series, results->series_count, &collector->series_capacity, sizeof *list);
    if (!list)
        return out_of_memory("the series");
    results->series = list;
    gathering_end(gathering, series_repeats(results, series));
    series->worst_command = witness_command(collector, series, method, series->worst_trial);
    const char *shape = results_fact(results, "shape", series->data);
    series->worst_index = *shape ? file_sums_index(shape, series->worst_trial) : NULL;
    for (int m = 0; m < METRICS; m++)
        if (series->defined[m] > 0 && gathering->largest_trial[m] != series->worst_trial)
            series->commands[m] = witness_command(collector, series, method, gathering->largest_trial[m]);
    if (series->map && operation_table[series->operation].of == MATRICES)
        series->witness_command = rerun_vectors(series->data, collector->results->study.seed, series->worst_trial,
                                                series->worst_i, series->worst_j);
    results->series[results->series_count++] = *series;
    const bool complete = series->worst_command;
    gathering->series = (struct series){0};
    return complete ? OK : out_of_memory("a witness");
}

static enum status end_spec(struct collector *collector)
{
    const struct study_record *study = &collector->results->study;
    TRY(end_case(collector));
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t b = 0; b < BACKENDS; b++)
            for (size_t m = 0; m < study->method_count; m++)
                if (gathering_at(collector, l, b, m)->series.count > 0)
                    TRY(end_series(collector, gathering_at(collector, l, b, m), m));
    return OK;
}

/* ---- rows in turn ---- */

static void begin_series(const struct collector *collector, struct gathering *gathering, const struct stored *row)
{
    const struct study_record *study = &collector->results->study;
    const struct backend *backend = &backend_table[row->backend];
    const struct series series = {
        .entry = row->entry,
        .spec = row->spec,
        .method = study->methods[row->method].id,
        .data = study->entries[row->entry].specs[row->spec].text,
        .format = row->result.format,
        .operation = row->result.operation,
        .n = row->result.n,
        .backend = backend,
        .device = backend->device ? backend->device : results_fact(collector->results, "device", "name"),
        .launch = row->result.launch,
        .height = row->result.height,
        .relative_bound = NAN,
        .relative_probabilistic_bound = NAN,
        .ulp_bound = NAN,
        .least_sum_abs = INFINITY,
    };
    gathering_begin(gathering, &series);
}

static bool is_of_study(const struct study_record *study, const struct stored *row)
{
    return row->method < study->method_count && row->backend < BACKENDS && row->launch < study->launch_count &&
           row->entry < study->entry_count && row->spec < study->entries[row->entry].spec_count;
}

/* Most rows of a case share it, and to read it takes longer than all that is done with a row. */
static double exact_sum_of(struct collector *collector, const struct result *row)
{
    if (collector->exact && strcmp(collector->exact, row->exact) == 0)
        return collector->s;
    free(collector->exact);
    collector->exact = memory_copy(row->exact);
    if (read_real(row->exact, &collector->s))
        collector->s = NAN;
    return collector->s;
}

enum status collector_take(struct collector *collector, const struct stored *row)
{
    if (!is_of_study(&collector->results->study, row))
        return bad_input("the store has a row of method %zu, data %zu.%zu, which its study lacks; expected the run.db "
                         "of an ulpscope run; run the study again",
                         row->method, row->entry, row->spec);
    if (!gathering_takes(&row->result)) {
        const struct study_record *study = &collector->results->study;
        return bad_input("the store has a sum of %s on %s with the relative error %g; expected the run.db of an "
                         "ulpscope run; run the study again",
                         study->methods[row->method].id, study->entries[row->entry].specs[row->spec].text,
                         row->result.metrics[METRIC_relative_error]);
    }
    const bool same_spec = collector->started && row->entry == collector->entry && row->spec == collector->spec;
    if (collector->started && !same_spec)
        TRY(end_spec(collector));
    else if (collector->started && row->result.trial != collector->trial)
        TRY(end_case(collector));
    collector->started = true;
    collector->entry = row->entry;
    collector->spec = row->spec;
    collector->trial = row->result.trial;
    struct gathering *gathering = gathering_at(collector, row->launch, row->backend, row->method);
    if (gathering->series.count == 0)
        begin_series(collector, gathering, row);
    return gathering_add(gathering, &row->result, exact_sum_of(collector, &row->result));
}

enum status collector_end(struct collector *collector)
{
    return collector->started ? end_spec(collector) : OK;
}
