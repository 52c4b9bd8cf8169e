/* serial: one thread, left to right.  The naive loop, whatever the launch.
 *
 *   x0 x1 x2 x3    (((x0 + x1) + x2) + x3)    height 4
 */
#include "kernels/grid_stride.h"

#define serial_sums no_sums

static inline bool serial_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    (void)verbs, (void)grid, (void)why;
    return true;
}

static inline uint64_t serial_height(uint64_t n, struct thread_grid grid)
{
    (void)grid;
    return n;
}

#ifndef __CUDACC__
static const void *serial_replay(const struct replay_call *call)
{
    call->verbs->zero(call->partial, 1);
    call->verbs->add_run(call->partial, call->x, call->n);
    return call->partial;
}

static const struct order_traits serial_traits = {.joins = NEVER_MERGES};
#else
KERNEL(serial_kernel)(struct elements x, uint64_t n, struct results results)
{
    store_result(results, 0, neighbours_sum(x, 0, n));
}

static cudaError_t serial_launch(const struct device_call *call)
{
    EXPORTED(serial_kernel)<<<1, 1, 0, call->stream>>>(call->x, call->n, call->results);
    return cudaGetLastError();
}
#endif
