/* The device half of every method of one accumulator: compiled once per accumulator with -DACC=<id>, like methods.c. */
#include "portable.h"

#include ACCUMULATOR_FILE

#include "order.h"

#include "generated/orders.inc"

enum rows { ONE_SUM, ROWS };

/* Numbers are stored as they are added. */
static struct thread_grid device_grid(struct launch launch)
{
    struct thread_grid grid;
    grid.blocks = launch.blocks;
    grid.threads = launch.threads;
    grid.lanes = LANES;
    return grid;
}

static struct device_call typed(const struct kernel_call *call)
{
    struct device_call typed;
    typed.x = (const real *)call->of.arrays[0];
    typed.n = call->of.shape.terms;
    typed.rows = (uint32_t)call->of.shape.rows;
    typed.grid = device_grid(call->launch);
    typed.sums = (STATE *)call->scratch;
    typed.results = (real *)call->results;
    typed.stream = (cudaStream_t)call->stream;
    return typed;
}

#define ORDER(order, determinism, slow_above, rows, claim)                                                             \
    static size_t scratch_bytes_##order(const struct method *, struct shape shape, struct launch launch)               \
    {                                                                                                                  \
        return order##_sums(shape.terms, device_grid(launch)) * sizeof(STATE);                                         \
    }                                                                                                                  \
    static int run_##order(const struct method *, const struct kernel_call *call)                                      \
    {                                                                                                                  \
        const struct device_call ours = typed(call);                                                                   \
        return order##_launch(&ours);                                                                                  \
    }                                                                                                                  \
    extern "C" const struct device_method EXPORTED(order##_on_device);                                                 \
    const struct device_method EXPORTED(order##_on_device) = {scratch_bytes_##order, run_##order, rows == ROWS};
#include "orders.def"
