#include "results.h"

#include "collector.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- speeds ---- */

static enum status collect_speed(void *context, const struct stored_speed *stored)
{
    struct results *results = context;
    const struct study_record *study = &results->study;
    if (stored->method >= study->method_count || stored->launch >= study->launch_count || stored->n == 0)
        return OK;
    struct speed *grown = reallocarray(results->speeds, results->speed_count + 1, sizeof *grown);
    if (!grown)
        return out_of_memory("the speeds");
    results->speeds = grown;
    grown[results->speed_count++] = (struct speed){
        .method = study->methods[stored->method].id,
        .backend = stored->on_device ? "cuda" : "replay",
        .launch = study->launches[stored->launch],
        .n = stored->n,
        .rounds = stored->rounds,
        .nanoseconds = stored->microseconds * 1000 / (double)stored->n,
        .gigabytes = (double)stored->bytes / (stored->microseconds * 1000),
    };
    return OK;
}

const struct speed *results_speed(const struct results *results, const char *method, const char *backend,
                                  struct launch launch)
{
    for (size_t i = 0; i < results->speed_count; i++) {
        const struct speed *speed = &results->speeds[i];
        if (strcmp(speed->method, method) == 0 && strcmp(speed->backend, backend) == 0 &&
            speed->launch.blocks == launch.blocks && speed->launch.threads == launch.threads)
            return speed;
    }
    return NULL;
}

/* ---- series ---- */

bool series_is_unordered(const struct results *results, const struct series *series)
{
    const struct study_record *study = &results->study;
    for (size_t m = 0; strcmp(series->backend, "cuda") == 0 && m < study->method_count; m++)
        if (strcmp(study->methods[m].id, series->method) == 0)
            return study->methods[m].determinism == ORDER_OF_ARRIVAL;
    return false;
}

/* A run that was made by hand has no study. */
static bool has_all_sums(const struct results *results, const struct series *series)
{
    const struct study_record *study = &results->study;
    if (series->entry >= study->entry_count)
        return true;
    const uint64_t repeats = strcmp(series->backend, "cuda") == 0 ? study->repeats : 1;
    return series->count == study->entries[series->entry].trials * repeats;
}

size_t results_partial(const struct results *results)
{
    size_t partial = 0;
    for (size_t i = 0; i < results->series_count; i++)
        partial += !has_all_sums(results, &results->series[i]);
    return partial;
}

/* ---- rows ---- */

static enum status collect_row(void *context, const struct stored *row)
{
    return collector_take(context, row);
}

static enum status collect_permutations(void *context, const struct stored_permutations *found)
{
    struct results *results = context;
    const size_t methods = results->study.method_count;
    if (found->method < methods)
        results->reproducibility[found->on_device * methods + found->method].permutations =
            (struct spread){found->sets, found->differing, found->most};
    return OK;
}

static enum status collect_rows(struct results *results)
{
    struct collector *collector = collector_start(results);
    if (!collector)
        return out_of_memory("the statistics");
    enum status status = store_each_sum(results->store, collect_row, collector);
    if (status == OK)
        status = collector_end(collector);
    collector_free(collector);
    return status;
}

/* ---- the whole ---- */

enum status results_load(struct store *store, struct results *results)
{
    *results = (struct results){.store = store, .cases = store_case_count(store)};
    TRY(store_get_study(store, &results->study));
    TRY(store_each_fact(store, collect_fact, results));
    TRY(store_each_speed(store, collect_speed, results));
    TRY(collect_rows(results));
    return store_each_permutation(store, collect_permutations, results);
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
    free(results->speeds);
    free(results->reproducibility);
    free(results->facts);
    study_record_free(&results->study);
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
    return store_each(results->store, visit_result, &visitor);
}

/* Of results that were made by hand there are no rows. */
enum status results_each_bits(const struct results *results,
                              enum status (*visit)(void *context, const struct result_bits *row), void *context)
{
    return results->store ? store_each_bits(results->store, visit, context) : OK;
}
