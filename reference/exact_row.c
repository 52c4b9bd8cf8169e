#include "exact_row.h"

#include "src/base/format.h"
#include "src/base/workers.h"

#include <stdatomic.h>

void exact_row_free(struct exact_row *row)
{
    if (row)
        row->kind->free(row);
}

enum status exact_row_element(const struct exact_row *row, uint64_t i, struct exact_sum *exact)
{
    return row->kind->element(row, i, exact);
}

enum status exact_row_element_in_full(const struct exact_row *row, const struct format *result, uint64_t i,
                                      double computed, struct exact_element *element)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    mpfr_t error;
    TRY(exact_row_element(row, i, &exact));
    mpfr_init2(error, DBL_MANT_DIG);
    mpfr_d_sub(error, computed, exact.sum, MPFR_RNDA);
    *element = (struct exact_element){.kind = exact.kind,
                                      .nearest = exact_round(exact.sum, result),
                                      .ulp = exact_ulp(exact.sum, result),
                                      .abs_above = exact.abs_above,
                                      .sum_abs_above = exact.sum_abs_above,
                                      .error = exact.kind == EXACT_FINITE ? mpfr_get_d(error, MPFR_RNDA) : 0};
    mpfr_clear(error);
    return OK;
}

struct work {
    const struct exact_row *row;
    const struct format *result;
    const void *computed;
    uint64_t first, count;
    unsigned workers;
    struct exact_element *elements;
    atomic_int status;
};

static void make_share(void *context, unsigned worker)
{
    struct work *work = context;
    const uint64_t end = work->count * (worker + 1) / work->workers;
    uint64_t e = work->count * worker / work->workers;
    if (work->row->kind->share) {
        const char *computed = (const char *)work->computed + e * format_held(work->result)->bytes;
        const enum status status =
            work->row->kind->share(work->row, work->result, computed, work->first + e, end - e, &work->elements[e]);
        if (status != OK)
            atomic_store(&work->status, (int)status);
        return;
    }
    for (; e < end; e++) {
        const uint64_t i = work->first + e;
        const double computed = held_number(work->result, work->computed, e);
        if (work->row->kind->quick(work->row, work->result, i, computed, &work->elements[e]))
            continue;
        const enum status status = exact_row_element_in_full(work->row, work->result, i, computed, &work->elements[e]);
        if (status != OK)
            atomic_store(&work->status, (int)status);
    }
}

enum status exact_row_elements(const struct exact_row *row, const struct format *result, const void *computed,
                               uint64_t first, uint64_t count, unsigned workers, struct exact_element *elements)
{
    struct work work = {row, result, computed, first, count, workers > 1 ? workers : 1, elements, OK};
    workers_run(work.workers, make_share, &work);
    return (enum status)atomic_load(&work.status);
}
