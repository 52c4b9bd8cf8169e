#include "vacuity.h"

enum status stand_in_start(struct stand_in *stand_in, const struct study_record *study, const struct results *facts)
{
    *stand_in = (struct stand_in){
        .results = {.study = *study, .cases = facts->cases, .facts = facts->facts, .fact_count = facts->fact_count}};
    stand_in->collector = collector_start(&stand_in->results);
    return stand_in->collector ? OK : out_of_memory("the series of a broken sum");
}

enum status stand_in_take(struct stand_in *stand_in, const struct row_place *place, const struct row_data *data,
                          const struct measured *row)
{
    const struct study_record *study = &stand_in->results.study;
    struct stored stored = {
        .entry = place->entry,
        .spec = place->spec,
        .launch = place->launch,
        .method = place->method,
        .backend = place->backend,
        .result =
            {
                .format = study->methods[place->method].format,
                .operation = study->methods[place->method].operation,
                .backend = &backend_table[place->backend],
                .n = data->n,
                .seed = study->seed,
                .trial = data->trial,
                .launch = study->launches[place->launch],
                .repeat = row->repeat,
                .weight = row->weight,
                .i = row->i,
                .j = row->j,
                .digest = row->digest,
                .map = row->map ? row->map : "",
                .computed = row->computed,
                .computed_bits = row->computed_bits,
                .exact = data->exact,
                .nearest_bits = row->nearest_bits,
                .condition = data->condition,
                .bound = row->bound,
                .probabilistic_bound = row->probabilistic_bound,
                .class = row->class,
                .height = row->height,
            },
    };
    for (int m = 0; m < METRICS; m++)
        stored.result.metrics[m] = stored.result.means[m] = row->metrics[m];
    return collector_take(stand_in->collector, &stored);
}

enum status stand_in_end(struct stand_in *stand_in)
{
    return collector_end(stand_in->collector);
}

void stand_in_free(struct stand_in *stand_in)
{
    struct results *results = &stand_in->results;
    for (size_t i = 0; i < results->series_count; i++)
        series_free(&results->series[i]);
    free_all(results->series, results->reproducibility);
    collector_free(stand_in->collector);
    *stand_in = (struct stand_in){0};
}
