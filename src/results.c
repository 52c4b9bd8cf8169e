#include "results.h"

#include "rerun.h"
#include "store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting a series ---- */

/* The rows of the series that is being read. */
struct collector {
    struct results *results;
    size_t capacity;         /* of results->series */
    struct stored last;      /* its texts are not used: they are gone */
    double *values[METRICS]; /* in which the metric is defined */
    size_t value_count[METRICS];
    double *conditions;
    uint32_t *bits; /* of the repeats of one data set */
    size_t bit_count;
    size_t row_count, row_capacity;
};

static bool same_series(const struct stored *a, const struct stored *b)
{
    return a->entry == b->entry && a->spec == b->spec && a->launch == b->launch && a->method == b->method &&
           (strcmp(a->result.backend, b->result.backend) == 0);
}

static enum status more_rows(struct collector *collector)
{
    if (collector->row_count < collector->row_capacity)
        return OK;
    const size_t capacity = collector->row_capacity ? 2 * collector->row_capacity : 256;
    for (int m = 0; m < METRICS; m++) {
        double *grown = realloc(collector->values[m], capacity * sizeof *grown);
        if (!grown)
            return out_of_memory("the statistics");
        collector->values[m] = grown;
    }
    double *conditions = realloc(collector->conditions, capacity * sizeof *conditions);
    if (conditions)
        collector->conditions = conditions;
    uint32_t *bits = realloc(collector->bits, capacity * sizeof *bits);
    if (bits)
        collector->bits = bits;
    if (!conditions || !bits)
        return out_of_memory("the statistics");
    collector->row_capacity = capacity;
    return OK;
}

static enum status start_series(struct collector *collector, const struct stored *row)
{
    struct results *results = collector->results;
    const struct study *study = results->study;
    if (results->series_count == collector->capacity) {
        collector->capacity = collector->capacity ? 2 * collector->capacity : 64;
        struct series *grown = realloc(results->series, collector->capacity * sizeof *grown);
        if (!grown)
            return out_of_memory("the series");
        results->series = grown;
    }
    const bool on_device = strcmp(row->result.backend, "cuda") == 0;
    results->series[results->series_count++] = (struct series){
        .entry = row->entry,
        .method = study->methods[row->method]->id,
        .data = study->entries[row->entry].specs[row->spec].text,
        .n = row->result.n,
        .backend = on_device ? "cuda" : "replay",
        .device = on_device ? results_fact(results, "device", "name") : "host",
        .launch = row->result.launch,
    };
    collector->row_count = collector->bit_count = 0;
    memset(collector->value_count, 0, sizeof collector->value_count);
    return OK;
}

/* Whether a metric says something about a row. */
static bool is_defined(enum metric metric, const struct result *row)
{
    if (metric == METRIC_relative_error)
        return row->class != CLASS_ZERO_SUM;
    if (metric == METRIC_bound_ratio)
        return !isinf(row->bound);
    return true;
}

static bool is_worse(double error, double worst)
{
    return isnan(error) ? !isnan(worst) : error > worst;
}

static enum status note_worst(struct series *series, const struct result *row)
{
    const double error = row->metrics[METRIC_ulp_error];
    if (series->worst_exact && !is_worse(error, series->worst_ulp_error))
        return OK;
    free((char *)series->worst_exact);
    series->worst_exact = strdup(row->exact);
    series->worst_ulp_error = error;
    series->worst_trial = row->trial;
    series->worst_repeat = row->repeat;
    series->worst_bits = row->computed_bits;
    return series->worst_exact ? OK : out_of_memory("a witness");
}

static int by_bits(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* At the end of a data set: how many different results its repeats gave. */
static void count_distinct(struct collector *collector, struct series *series)
{
    uint64_t distinct = 0;
    qsort(collector->bits, collector->bit_count, sizeof *collector->bits, by_bits);
    for (size_t i = 0; i < collector->bit_count; i++)
        distinct += i == 0 || collector->bits[i] != collector->bits[i - 1];
    if (distinct > series->distinct_bits)
        series->distinct_bits = distinct;
    collector->bit_count = 0;
}

static enum histogram_kind histogram_kind_of(enum result_class class)
{
    static const enum histogram_kind kinds[CLASSES] = {
        [CLASS_EXACT] = ERROR_DEFINED,      [CLASS_FINITE] = ERROR_DEFINED, [CLASS_ZERO_SUM] = ERROR_UNDEFINED,
        [CLASS_OVERFLOW] = ERROR_NONFINITE, [CLASS_NAN] = ERROR_NONFINITE,  [CLASS_INF] = ERROR_NONFINITE,
    };
    return kinds[class];
}

static enum status add_row(struct collector *collector, struct series *series, const struct result *row)
{
    TRY(more_rows(collector));
    for (int m = 0; m < METRICS; m++)
        if (is_defined((enum metric)m, row))
            collector->values[m][collector->value_count[m]++] = row->metrics[m];
    collector->conditions[collector->row_count++] = row->condition;
    collector->bits[collector->bit_count++] = row->computed_bits;
    series->count++;
    series->classes[row->class]++;
    histogram_count(&series->histogram, histogram_kind_of(row->class), row->metrics[METRIC_relative_error]);
    return note_worst(series, row);
}

static char *witness_command(const struct collector *collector, const struct series *series)
{
    const bool on_device = strcmp(series->backend, "cuda") == 0;
    const struct method *method = collector->results->study->methods[collector->last.method];
    const struct witness witness = {
        .study = collector->results->study,
        .method = series->method,
        .entry = series->entry,
        .spec = collector->last.spec,
        .trial = series->worst_trial,
        .launch = series->launch,
        .device = on_device ? results_fact(collector->results, "device", "option") : "host",
        .slow = on_device && series->n > method->slow_above,
    };
    return rerun_command(&witness);
}

static enum status end_series(struct collector *collector)
{
    if (collector->row_count == 0)
        return OK;
    struct series *series = &collector->results->series[collector->results->series_count - 1];
    count_distinct(collector, series);
    for (int m = 0; m < METRICS; m++)
        series->statistics[m] = statistics_of(collector->values[m], collector->value_count[m]);
    series->median_condition = statistics_of(collector->conditions, collector->row_count).p50;
    series->worst_command = witness_command(collector, series);
    return series->worst_command ? OK : out_of_memory("a witness");
}

static enum status collect(void *context, const struct stored *row)
{
    struct collector *collector = context;
    const bool first = collector->results->series_count == 0;
    if (first || !same_series(&collector->last, row)) {
        TRY(end_series(collector));
        TRY(start_series(collector, row));
    } else if (collector->last.result.trial != row->result.trial) {
        count_distinct(collector, &collector->results->series[collector->results->series_count - 1]);
    }
    struct series *series = &collector->results->series[collector->results->series_count - 1];
    collector->last = *row;
    collector->last.result.backend = series->backend;
    return add_row(collector, series, &row->result);
}

/* ---- facts ---- */

static enum status collect_fact(void *context, const char *topic, const char *name, const char *value)
{
    struct results *results = context;
    struct provenance_fact *grown = realloc(results->facts, (results->fact_count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory("the provenance");
    results->facts = grown;
    const struct provenance_fact fact = {strdup(topic), strdup(name), strdup(value)};
    grown[results->fact_count++] = fact;
    return fact.topic && fact.name && fact.value ? OK : out_of_memory("the provenance");
}

const char *results_fact(const struct results *results, const char *topic, const char *name)
{
    for (size_t i = 0; i < results->fact_count; i++)
        if (strcmp(results->facts[i].topic, topic) == 0 && strcmp(results->facts[i].name, name) == 0)
            return results->facts[i].value;
    return "";
}

/* ---- the whole ---- */

enum status results_load(const struct study *study, struct store *store, struct results *results)
{
    *results = (struct results){.study = study, .store = store};
    struct collector collector = {.results = results};
    enum status status = store_each_fact(store, collect_fact, results);
    if (status == OK)
        status = store_each(store, BY_SERIES, collect, &collector);
    if (status == OK)
        status = end_series(&collector);
    for (int m = 0; m < METRICS; m++)
        free(collector.values[m]);
    free(collector.conditions);
    free(collector.bits);
    return status;
}

void results_free(struct results *results)
{
    for (size_t i = 0; i < results->series_count; i++) {
        free((char *)results->series[i].worst_exact);
        free(results->series[i].worst_command);
    }
    for (size_t i = 0; i < results->fact_count; i++) {
        free(results->facts[i].topic);
        free(results->facts[i].name);
        free(results->facts[i].value);
    }
    free(results->series);
    free(results->facts);
    *results = (struct results){0};
}

struct visitor {
    enum status (*visit)(void *context, const struct result *row);
    void *context;
};

static enum status visit_result(void *context, const struct stored *row)
{
    const struct visitor *visitor = context;
    return visitor->visit(visitor->context, &row->result);
}

enum status results_each(const struct results *results, enum status (*visit)(void *context, const struct result *row),
                         void *context)
{
    struct visitor visitor = {visit, context};
    return store_each(results->store, BY_CASE, visit_result, &visitor);
}
