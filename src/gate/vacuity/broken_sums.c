#include "vacuity.h"

#include "src/gate/parallel.h"
#include "src/measure/operation.h"

bool broken_plan_has(const struct broken_plan *plan, size_t fault, size_t method)
{
    return plan->is_done[fault * plan->method_count + method];
}

struct measured *broken_row(const struct broken_batch *batch, size_t data, size_t slot, size_t fault)
{
    return &batch->rows[(data * batch->slot_count + slot) * (batch->plan->fault_count + 1) + fault];
}

static enum status make_data(void *context, size_t i)
{
    struct broken_batch *batch = context;
    TRY(again_make(batch->again, &batch->data[i], &batch->made[i], batch->whys[i]));
    return again_sum(batch->again, &batch->data[i], &batch->made[i], &batch->exact[i], batch->whys[i]);
}

/* Most faults leave some sums as they are; their errors are known then. */
static enum status break_sum(struct broken_batch *batch, size_t data, size_t slot, size_t fault,
                             const struct promise *promise)
{
    const struct measured *sound = broken_row(batch, data, slot, batch->plan->fault_count);
    struct measured *row = broken_row(batch, data, slot, fault);
    size_t faults;
    const struct fault *broken = &fault_table(&faults)[fault];
    const struct broken_slot *of = &batch->slots[slot];
    const struct fault_call call = {of->method, operation_operands(of->method->operation, &batch->made[data]),
                                    of->launch};
    uint64_t sum = 0;
    TRY(broken->sum(broken, &call, &sum));
    if (sum == sound->computed_bits) {
        *row = *sound;
        return OK;
    }
    judge_sum(&batch->exact[data], of->method->format, promise, sum, row);
    return OK;
}

/* One method on one data set, with each fault. */
static enum status break_method(void *context, size_t i)
{
    struct broken_batch *batch = context;
    const size_t data = i / batch->slot_count, slot = i % batch->slot_count;
    const struct broken_slot *of = &batch->slots[slot];
    const struct promise promise = promise_of(of->method, of->launch, &batch->exact[data]);
    struct measured *sound = broken_row(batch, data, slot, batch->plan->fault_count);
    uint64_t sum = 0;
    const struct operands operands = operation_operands(of->method->operation, &batch->made[data]);
    TRY(method_replay(of->method, &operands, of->launch, 1, &sum));
    judge_sum(&batch->exact[data], of->method->format, &promise, sum, sound);
    for (size_t f = 0; f < batch->plan->fault_count; f++)
        if (broken_plan_has(batch->plan, f, of->method_index))
            TRY(break_sum(batch, data, slot, f, &promise));
    return OK;
}

enum status broken_batch_run(struct broken_batch *batch, char why[WHY_SIZE])
{
    *why = '\0';
    const size_t sums = batch->data_count * batch->slot_count;
    batch->exact = calloc(batch->data_count + 1, sizeof *batch->exact);
    batch->made = calloc(batch->data_count + 1, sizeof *batch->made);
    batch->whys = calloc(batch->data_count + 1, sizeof *batch->whys);
    batch->rows = calloc(sums * (batch->plan->fault_count + 1) + 1, sizeof *batch->rows);
    TRY(batch->exact && batch->made && batch->whys && batch->rows ? OK : out_of_memory("broken sums"));
    const enum status status = parallel_each(batch->workers, batch->data_count, make_data, batch);
    for (size_t i = 0; status == BAD_INPUT && i < batch->data_count && !*why; i++)
        snprintf(why, WHY_SIZE, "%s", batch->whys[i]);
    return status == OK ? parallel_each(batch->workers, sums, break_method, batch) : status;
}

void broken_batch_free(struct broken_batch *batch)
{
    for (size_t i = 0; i < batch->data_count; i++) {
        if (batch->exact && batch->exact[i].format)
            exact_free(&batch->exact[i]);
        if (batch->made)
            dataset_free(&batch->made[i]);
    }
    free_all(batch->exact, batch->made, batch->whys, batch->rows);
    *batch = (struct broken_batch){0};
}
