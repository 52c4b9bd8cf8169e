#include "results.h"

#include "src/store/store.h"

const char *results_fact(const struct results *results, const char *topic, const char *name)
{
    for (size_t i = 0; i < results->fact_count; i++)
        if (strcmp(results->facts[i].topic, topic) == 0 && strcmp(results->facts[i].name, name) == 0)
            return results->facts[i].value;
    return "";
}

const char *results_label(const struct results *results, const char *method)
{
    const char *label = results_fact(results, "label", method);
    return *label ? label : method;
}

const struct speed *results_speed(const struct results *results, const char *method, const struct backend *backend,
                                  struct launch launch)
{
    for (size_t i = 0; i < results->speed_count; i++) {
        const struct speed *speed = &results->speeds[i];
        if (strcmp(speed->method, method) == 0 && (speed->backend == backend || backend == BACKEND_OF(plugin)) &&
            same_launch(speed->launch, launch))
            return speed;
    }
    return NULL;
}

bool results_have_backend(const struct results *results, const struct backend *backend)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (results->series[i].backend == backend)
            return true;
    return false;
}

bool speeds_overlap(const struct speed *a, const struct speed *b)
{
    return a && b && a->nanoseconds <= b->median && b->nanoseconds <= a->median;
}

static enum quantity quantity_of(const struct results *results)
{
    const struct study_record *study = &results->study;
    return operation_table[study->method_count > 0 ? study->methods[0].operation : OPERATION_sum].of;
}

const char *results_noun(const struct results *results)
{
    return quantity_table[quantity_of(results)].noun;
}

const char *results_condition(const struct results *results)
{
    static const char *const names[QUANTITIES] = {
        [VARIANCE] = "kappa^2", [SAMPLE_VARIANCE] = "kappa^2", [STD] = "kappa", [SAMPLE_STD] = "kappa"};
    return names[quantity_of(results)];
}

/* ---- series ---- */

bool series_is_unordered(const struct results *results, const struct series *series)
{
    const struct study_record *study = &results->study;
    for (size_t m = 0; series->backend->runs_kernels && m < study->method_count; m++)
        if (strcmp(study->methods[m].id, series->method) == 0)
            return study->methods[m].determinism == ORDER_OF_ARRIVAL;
    return false;
}

bool series_is_random(const struct results *results, const struct series *series)
{
    const struct study_record *study = &results->study;
    const struct entry_record *entry = series->entry < study->entry_count ? &study->entries[series->entry] : NULL;
    return entry && !entry->permuted && !(entry->spec_count > 0 && entry->specs[0].attacked);
}

uint64_t wrong_nonfinite(const struct series *series)
{
    return series->classes[CLASS_NAN] + series->classes[CLASS_INF] + series->classes[CLASS_OVERFLOW] -
           series->right_nonfinite;
}

uint64_t series_repeats(const struct results *results, const struct series *series)
{
    return series->backend->runs_kernels && results->study.repeats > 1 ? results->study.repeats : 1;
}

const char *series_rerun(const struct series *series, int metric)
{
    return metric < METRICS && series->commands[metric] ? series->commands[metric] : series->worst_command;
}

/* A run that was made by hand has no study. */
static bool has_all_sums(const struct results *results, const struct series *series)
{
    const struct study_record *study = &results->study;
    if (series->entry >= study->entry_count)
        return true;
    return (series->map ? series->products : series->count) ==
           study->entries[series->entry].trials * series_repeats(results, series);
}

size_t results_partial(const struct results *results)
{
    size_t partial = 0;
    for (size_t i = 0; i < results->series_count; i++)
        partial += !has_all_sums(results, &results->series[i]);
    return partial;
}

/* ---- rows ---- */

void series_free(struct series *series)
{
    free((char *)series->worst_exact);
    free_all(series->worst_command, series->worst_index);
    for (int m = 0; m < METRICS; m++)
        free(series->commands[m]);
    free(series->witness_command);
    free(series->map);
}

void results_free(struct results *results)
{
    for (size_t i = 0; i < results->series_count; i++)
        series_free(&results->series[i]);
    for (size_t i = 0; i < results->variation_count; i++)
        free_all(results->variations[i].first, results->variations[i].why, results->variations[i].command);
    for (size_t i = 0; i < results->fact_count; i++)
        free_all(results->facts[i].topic, results->facts[i].name, results->facts[i].value);
    free_all(results->series, results->speeds, results->reproducibility, results->variations, results->facts);
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
