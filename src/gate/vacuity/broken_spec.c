#include "vacuity.h"

#include "src/gate/parallel.h"

enum { ROWS_AT_ONCE = 1 << 16, DATA_AT_ONCE = 64 };
static const uint64_t NUMBERS_AT_ONCE = UINT64_C(1) << 25; /* 128 MiB, or one data set */

static const struct series_rows *rows_of(const struct broken_spec *spec, size_t series)
{
    return &spec->rows->series[spec->first_series + series];
}

bool broken_spec_has(const struct broken_spec *spec, size_t fault, size_t series)
{
    return broken_plan_has(spec->plan, fault, rows_of(spec, series)->method);
}

static bool has_any(const struct broken_spec *spec, size_t series)
{
    size_t fault = 0;
    while (fault < spec->plan->fault_count && !broken_spec_has(spec, fault, series))
        fault++;
    return fault < spec->plan->fault_count;
}

static size_t find_slot(const struct broken_spec *spec, const struct series_rows *rows)
{
    size_t slot = 0;
    while (slot < spec->slot_count &&
           (spec->slots[slot].launch_index != rows->launch || spec->slots[slot].method_index != rows->method))
        slot++;
    return slot;
}

static void name_slots(struct broken_spec *spec)
{
    spec->slots = memory_cleared(spec->series_count + 1, sizeof *spec->slots);
    spec->slot_of = memory_cleared(spec->series_count + 1, sizeof *spec->slot_of);
    for (size_t s = 0; s < spec->series_count; s++) {
        const struct series_rows *rows = rows_of(spec, s);
        spec->slot_of[s] = SIZE_MAX;
        if (!has_any(spec, s))
            continue;
        spec->slot_of[s] = find_slot(spec, rows);
        if (spec->slot_of[s] == spec->slot_count)
            spec->slots[spec->slot_count++] =
                (struct broken_slot){method_find(spec->results->study.methods[rows->method].id),
                                     spec->results->study.launches[rows->launch], rows->launch, rows->method};
    }
}

static enum status start_stand_ins(struct broken_spec *spec)
{
    spec->stand_ins = memory_cleared(spec->plan->fault_count + 1, sizeof *spec->stand_ins);
    spec->differs = memory_cleared(spec->plan->fault_count * spec->series_count + 1, sizeof *spec->differs);
    for (size_t f = 0; f < spec->plan->fault_count; f++)
        TRY(stand_in_start(&spec->stand_ins[f], &spec->results->study, spec->results));
    return OK;
}

/* The rows that the series has of a data set, with the sum of the fault in place of its own. */
static enum status take_rows(struct broken_spec *spec, size_t fault, size_t series, size_t data)
{
    const struct series_rows *rows = rows_of(spec, series);
    const struct broken_batch *batch = &spec->batch;
    const struct summed_data *then = &batch->data[data];
    const struct row_place place = {rows->entry, rows->spec, rows->launch, rows->backend, rows->method};
    const struct exact_sum *exact = &batch->exact[data];
    const struct row_data shared = {exact->n, then->trial, then->exact, exact->condition};
    const size_t slot = spec->slot_of[series];
    struct measured row = *broken_row(batch, data, slot, fault);
    for (size_t r = run_rows_first(rows, (size_t)(then - spec->rows->data));
         r < rows->count && rows->rows[r].data == (size_t)(then - spec->rows->data); r++) {
        row.repeat = rows->rows[r].repeat;
        spec->differs[fault * spec->series_count + series] |=
            row.computed_bits != broken_row(batch, data, slot, spec->plan->fault_count)->computed_bits;
        TRY(stand_in_take(&spec->stand_ins[fault], &place, &shared, &row));
    }
    return OK;
}

static enum status take_batch(void *context, size_t fault)
{
    struct broken_spec *spec = context;
    for (size_t d = 0; d < spec->batch.data_count; d++)
        for (size_t s = 0; s < spec->series_count; s++)
            if (broken_spec_has(spec, fault, s))
                TRY(take_rows(spec, fault, s, d));
    return OK;
}

static enum status run_batch(struct broken_spec *spec, size_t first, size_t count, char why[WHY_SIZE])
{
    spec->batch = (struct broken_batch){
        .plan = spec->plan,
        .again = &spec->again,
        .data = spec->data + first,
        .data_count = count,
        .slots = spec->slots,
        .slot_count = spec->slot_count,
        .workers = spec->workers,
    };
    enum status status = broken_batch_run(&spec->batch, why);
    if (status == OK)
        status = parallel_each(spec->workers, spec->plan->fault_count, take_batch, spec);
    broken_batch_free(&spec->batch);
    return status;
}

static size_t at_most(uint64_t count, uint64_t most)
{
    return (size_t)(count < most ? count : most);
}

static size_t data_at_once(const struct broken_spec *spec)
{
    const uint64_t n = spec->results->series[spec->first_series].n;
    const uint64_t rows = ROWS_AT_ONCE / (spec->slot_count * (spec->plan->fault_count + 1));
    const size_t count = at_most(at_most(NUMBERS_AT_ONCE / (n + 1), rows), DATA_AT_ONCE);
    return count > 0 ? count : 1;
}

static enum status end_series(void *context, size_t fault)
{
    struct broken_spec *spec = context;
    return stand_in_end(&spec->stand_ins[fault]);
}

enum status broken_spec_run(struct broken_spec *spec, char why[WHY_SIZE])
{
    const struct summed_data *data = spec->data;
    name_slots(spec);
    TRY(start_stand_ins(spec));
    if (spec->slot_count == 0)
        return OK;
    const enum operation operation = spec->results->study.methods[0].operation;
    const bool is_per_number = operation_is_per_number(operation);
    if (operation != OPERATION_sum && !is_statistic(operation) && !is_scan(operation)) {
        snprintf(why, WHY_SIZE, "faults are known of sums, statistics, norms and scans, not of %s",
                 operation_table[operation].id);
        return BAD_INPUT;
    }
    TRY(again_open(&spec->results->study, data->entry, data->spec, &spec->again, why));
    const size_t most = data_at_once(spec);
    if (is_per_number)
        TRY(broken_rows_run(spec, why));
    for (size_t first = 0; first < spec->data_count && !is_per_number; first += most) {
        TRY(run_batch(spec, first, at_most(spec->data_count - first, most), why));
        progress_update(spec->progress, spec->done + at_most(first + most, spec->data_count), "data");
    }
    return parallel_each(spec->workers, spec->plan->fault_count, end_series, spec);
}

void broken_spec_free(struct broken_spec *spec)
{
    for (size_t f = 0; spec->stand_ins && f < spec->plan->fault_count; f++)
        stand_in_free(&spec->stand_ins[f]);
    free_all(spec->stand_ins, spec->differs, spec->slots, spec->slot_of);
    again_free(&spec->again);
    *spec = (struct broken_spec){0};
}
