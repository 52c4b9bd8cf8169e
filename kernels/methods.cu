/* The device half of every method of one accumulator: compiled once per accumulator with -DACC=<id>, like verbs.c,
 * for the operation sum, which stands for all; where it HAS_EXACT_PRODUCTS once more for dot_exact. */
#include "portable.h"

#include ACCUMULATOR_FILE

#ifndef ABSENT
#include "terms.h"

#include "order.h"

#include "generated/orders.inc"

static struct device_call device_call_of(const struct method *self, const struct kernel_call *call)
{
    struct device_call ours;
    ours.x = elements_of(&call->of);
    ours.n = call->of.shape.terms;
    ours.rows = (uint32_t)call->of.shape.rows;
    ours.grid = method_grid(self, call->launch);
    ours.sums = (STATE *)call->scratch;
    ours.results.at = call->results;
    ours.results.format = stored_format_of(self->format);
    ours.results.are_roots = operation_table[self->operation].of == ROOT_OF_SQUARES;
    ours.offsets = call->offsets;
    ours.formula = call->formula;
    ours.stream = (cudaStream_t)call->stream;
    return ours;
}

#define DEVICE_ON_HOST(order)
#define DEVICE_ONE_SUM(order) DEVICE(order, false, false)
#define DEVICE_ROWS(order) DEVICE(order, true, false)
#if A(FUSES_ROWS)
#define DEVICE_ROWS_FUSED(order) DEVICE(order, true, true)
#else
#define DEVICE_ROWS_FUSED(order) DEVICE(order, true, false)
#endif
#define DEVICE(order, takes_rows, fuses)                                                                               \
    static size_t scratch_bytes_##order(const struct method *self, struct shape shape, struct launch launch)           \
    {                                                                                                                  \
        return shape.rows * order##_sums(shape.terms, method_grid(self, launch)) * sizeof(STATE);                      \
    }                                                                                                                  \
    static int run_##order(const struct method *self, const struct kernel_call *call)                                  \
    {                                                                                                                  \
        const struct device_call ours = device_call_of(self, call);                                                    \
        return order##_launch(&ours);                                                                                  \
    }                                                                                                                  \
    static const struct device_method order##_on_device = {scratch_bytes_##order, run_##order, takes_rows, fuses};
#define ORDER(order, determinism, slow_above, rows, claim) DEVICE_##rows(order)
#include "orders.def"

#define LISTED_ON_HOST(order) NULL
#define LISTED_ONE_SUM(order) &order##_on_device
#define LISTED_ROWS(order) &order##_on_device
#define LISTED_ROWS_FUSED(order) &order##_on_device
extern "C" const struct device_method *const DEVICE_HALF_NAMED(on_device)[];
const struct device_method *const DEVICE_HALF_NAMED(on_device)[] = {
#define ORDER(order, determinism, slow_above, rows, claim) LISTED_##rows(order),
#include "orders.def"
};
#else
/* Says in the PTX, which the lint reads, why there is no kernel. */
extern "C" __device__ const char EXPORTED(absent)[] = ABSENT;
#endif
