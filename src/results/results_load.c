#include "results_load.h"

#include "collector.h"

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

static enum status collect_speed(void *context, const struct stored_speed *stored)
{
    struct results *results = context;
    const struct study_record *study = &results->study;
    if (stored->method >= study->method_count || stored->launch >= study->launch_count || stored->backend >= BACKENDS ||
        stored->n == 0)
        return OK;
    struct speed *grown = reallocarray(results->speeds, results->speed_count + 1, sizeof *grown);
    if (!grown)
        return out_of_memory("the speeds");
    results->speeds = grown;
    grown[results->speed_count++] = (struct speed){
        .method = study->methods[stored->method].id,
        .backend = &backend_table[stored->backend],
        .launch = study->launches[stored->launch],
        .n = stored->n,
        .rounds = stored->rounds,
        .nanoseconds = stored->microseconds * 1000 / (double)stored->n,
        .median = stored->median * 1000 / (double)stored->n,
        .gigabytes = (double)stored->bytes / (stored->microseconds * 1000),
    };
    return OK;
}

static enum status collect_row(void *context, const struct stored *row)
{
    return collector_take(context, row);
}

static enum status collect_permutations(void *context, const struct stored_permutations *found)
{
    struct results *results = context;
    const size_t methods = results->study.method_count;
    if (found->method < methods && found->backend < BACKENDS)
        results->reproducibility[found->backend * methods + found->method].permutations =
            (struct spread){found->sets, found->differing, found->most};
    return OK;
}

/* ---- axes ---- */

/* A series of the same data, which are there before; NULL: none of it could be summed. */
static const struct series *series_of(const struct results *results, const struct varied_axis *varied)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (strcmp(results->series[i].data, varied->data) == 0)
            return &results->series[i];
    return NULL;
}

static char *command_of(const struct results *results, const struct stored_variation *stored,
                        const struct varied_axis *varied)
{
    const struct method_record *method = &results->study.methods[stored->method];
    const bool kernels = varied->backend == BACKEND_OF(cuda);
    const struct series *series = series_of(results, varied);
    const bool is_one = results->study.entries[stored->entry].trials == 1; /* of --trial K, that */
    return rerun_command(&(struct witness){
        .method = varied->method,
        .data_arguments = results->study.entries[stored->entry].specs[stored->spec].arguments,
        .seed = results->study.seed,
        .trial = is_one && series ? series->worst_trial : 0,
        .launch = varied->launch,
        .device = kernels ? results_fact(results, "device", "option") : "host",
        .slow = kernels && series && series->n > method->slow_above,
        .across = axis_table[varied->axis].id,
        .plugin = {method->plugin_flag, method->plugin},
    });
}

/* The store was verified: all of it has a place in the study. */
static enum status collect_variation(void *context, const struct stored_variation *stored)
{
    struct results *results = context;
    const struct study_record *study = &results->study;
    struct varied_axis varied = {
        .entry = stored->entry,
        .method = study->methods[stored->method].id,
        .data = study->entries[stored->entry].specs[stored->spec].text,
        .format = study->methods[stored->method].format,
        .backend = &backend_table[stored->backend],
        .launch = study->launches[stored->launch],
        .axis = stored->axis,
        .variants = stored->variants,
        .results = stored->results,
        .spread = stored->spread,
        .first = memory_copy(stored->first),
        .base = stored->base,
        .bits = stored->bits,
        .why = memory_copy(stored->why),
    };
    varied.command = command_of(results, stored, &varied);
    results->variations =
        memory_resized(results->variations, (results->variation_count + 1) * sizeof *results->variations);
    results->variations[results->variation_count++] = varied;
    return OK;
}

static enum status collect_rows(struct results *results)
{
    struct collector *collector = collector_start(results);
    if (!collector)
        return out_of_memory("the statistics");
    enum status status = store_each(results->store, collect_row, collector);
    if (status == OK)
        status = collector_end(collector);
    collector_free(collector);
    return status;
}

enum status results_load(struct store *store, struct results *results)
{
    *results = (struct results){.store = store, .cases = store_case_count(store)};
    TRY(store_get_study(store, &results->study));
    TRY(store_each_fact(store, collect_fact, results));
    TRY(store_each_speed(store, collect_speed, results));
    TRY(collect_rows(results));
    TRY(store_each_variation(store, collect_variation, results));
    return store_each_permutation(store, collect_permutations, results);
}

enum status opened_run(const char *path, struct store **store, struct results *results)
{
    *store = NULL;
    *results = (struct results){0};
    TRY(store_open_to_read(path, store));
    TRY(results_load(*store, results));
    if (results->series_count > 0)
        return OK;
    return bad_input("%s: holds no sum; expected a run that measured something; run the study again", path);
}
