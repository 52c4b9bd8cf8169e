/* Rows come case by case; series are counted spec by spec, as src/results/collector.c does: by launch, backend, method.
 */
#include "run_rows.h"

#include "src/base/list.h"

struct reading {
    const struct results *results;
    const bool *wanted;
    struct run_rows *rows;
    struct series_rows *slots; /* of the spec that is being read: by launch, backend, method */
    size_t slot_count;
    size_t next_series, data_capacity;
    size_t first_data; /* of the spec */
    bool started;
    struct result_bits last;
};

static enum status append_row(struct series_rows *series, struct row_bits row)
{
    struct row_bits *rows = list_with_room(series->rows, series->count, &series->capacity, sizeof *rows);
    TRY(rows ? OK : out_of_memory("the rows of a run"));
    series->rows = rows;
    rows[series->count++] = row;
    return OK;
}

static enum status append_data(struct reading *reading, const struct result_bits *row)
{
    struct run_rows *rows = reading->rows;
    struct summed_data *list = list_with_room(rows->data, rows->data_count, &reading->data_capacity, sizeof *list);
    TRY(list ? OK : out_of_memory("the rows of a run"));
    rows->data = list;
    struct summed_data *data = &list[rows->data_count];
    *data = (struct summed_data){row->entry, row->spec, row->trial, row->i, row->j, strdup(row->exact)};
    TRY(data->exact ? OK : out_of_memory("the rows of a run"));
    rows->data_count++;
    return OK;
}

static void drop_data(struct reading *reading)
{
    struct run_rows *rows = reading->rows;
    while (rows->data_count > reading->first_data)
        free(rows->data[--rows->data_count].exact);
}

/* Hands the slots that have rows to the series they are of. */
static void end_spec(struct reading *reading)
{
    bool kept = false;
    for (size_t i = 0; i < reading->slot_count; i++) {
        struct series_rows *slot = &reading->slots[i];
        if (slot->count == 0)
            continue;
        const size_t index = reading->next_series++;
        if (index < reading->rows->series_count) {
            const bool wanted = !reading->wanted || reading->wanted[index];
            if (!wanted) {
                free(slot->rows);
                slot->rows = NULL;
                slot->count = 0;
            }
            reading->rows->series[index] = *slot;
            kept |= wanted;
        } else {
            free(slot->rows);
        }
        *slot = (struct series_rows){0};
    }
    if (!kept)
        drop_data(reading);
    reading->first_data = reading->rows->data_count;
}

static enum status read_row(void *context, const struct result_bits *row)
{
    struct reading *reading = context;
    const size_t methods = reading->results->study.method_count;
    const size_t at = (row->launch * BACKENDS + row->backend) * methods + row->method;
    if (at >= reading->slot_count)
        return OK; /* of no method of the study: then results_load refused the run */
    const bool same_spec = reading->started && row->entry == reading->last.entry && row->spec == reading->last.spec;
    if (reading->started && !same_spec)
        end_spec(reading);
    const bool is_per_number = operation_is_per_number(reading->results->study.methods[row->method].operation);
    const bool same_element = is_per_number || (row->i == reading->last.i && row->j == reading->last.j);
    if (!same_spec || row->trial != reading->last.trial || !same_element)
        TRY(append_data(reading, row));
    reading->started = true;
    reading->last = *row;
    struct series_rows *slot = &reading->slots[at];
    slot->entry = row->entry;
    slot->spec = row->spec;
    slot->launch = row->launch;
    slot->method = row->method;
    slot->backend = row->backend;
    return append_row(
        slot, (struct row_bits){reading->rows->data_count - 1, is_per_number ? row->i : 0, row->repeat, row->bits});
}

enum status run_rows_read(const struct results *results, const bool *wanted, struct run_rows *rows)
{
    const struct study_record *study = &results->study;
    struct reading reading = {.results = results, .wanted = wanted, .rows = rows};
    reading.slot_count = study->launch_count * BACKENDS * study->method_count;
    reading.slots = calloc(reading.slot_count + 1, sizeof *reading.slots);
    *rows = (struct run_rows){.series_count = results->series_count};
    rows->series = calloc(rows->series_count + 1, sizeof *rows->series);
    enum status status = reading.slots && rows->series ? OK : out_of_memory("the rows of a run");
    if (status == OK)
        status = results_each_bits(results, read_row, &reading);
    if (status == OK && reading.started)
        end_spec(&reading);
    for (size_t i = 0; reading.slots && i < reading.slot_count; i++)
        free(reading.slots[i].rows);
    free(reading.slots);
    if (status == OK && reading.started && reading.next_series != results->series_count)
        return bad_input("the run has %zu series now and had %zu when it was read; expected a run.db that nobody "
                         "writes; wait until its run has ended",
                         reading.next_series, results->series_count);
    return status;
}

void run_rows_free(struct run_rows *rows)
{
    for (size_t i = 0; i < rows->data_count; i++)
        free(rows->data[i].exact);
    for (size_t i = 0; rows->series && i < rows->series_count; i++)
        free(rows->series[i].rows);
    free_all(rows->data, rows->series);
    *rows = (struct run_rows){0};
}

size_t run_rows_first(const struct series_rows *rows, size_t data)
{
    size_t first = 0, end = rows->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (rows->rows[middle].data < data)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool is_neighbour(const struct run_rows *rows, size_t data, size_t of)
{
    return data < rows->data_count && rows->data[data].entry == rows->data[of].entry &&
           rows->data[data].spec == rows->data[of].spec;
}

const struct summed_data *run_rows_data(const struct run_rows *rows, const struct series_rows *series, size_t *count)
{
    *count = 0;
    if (series->count == 0)
        return NULL;
    const size_t one = series->rows[0].data;
    size_t first = one, end = one + 1;
    while (first > 0 && is_neighbour(rows, first - 1, one))
        first--;
    while (is_neighbour(rows, end, one))
        end++;
    *count = end - first;
    return &rows->data[first];
}
