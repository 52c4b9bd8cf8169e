/* backwards: one thread, right to left, whatever the launch.
 *
 *   x0 x1 x2 x3    (((x3 + x2) + x1) + x0)    height 4
 */
#include "kernels/grid_stride.h"

static inline bool backwards_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    (void)verbs, (void)grid, (void)why;
    return true;
}

static inline uint64_t backwards_height(uint64_t n, struct thread_grid grid)
{
    (void)grid;
    return n;
}

static inline size_t backwards_sums(uint64_t n, struct thread_grid grid)
{
    (void)n, (void)grid;
    return 0;
}

#ifndef __CUDACC__
static const void *backwards_replay(const struct replay_call *call)
{
    call->verbs->zero(call->partial, 1);
    for (uint64_t i = call->n; i > 0; i--)
        call->verbs->add_run(call->partial, term_at(call, i - 1), 1);
    return call->partial;
}

static const struct order_traits backwards_traits = {.joins = NEVER_MERGES};
#else
KERNEL(backwards_kernel)(struct elements x, uint64_t n, struct results results)
{
    STATE s = A(zero)();
    for (uint64_t i = n; i > 0; i--)
        s = add_term(s, operation_of(x), load(x.x, i - 1), load(x.y, i - 1));
    store_result(results, 0, s);
}

static cudaError_t backwards_launch(const struct device_call *call)
{
    EXPORTED(backwards_kernel)<<<1, 1, 0, call->stream>>>(call->x, call->n, call->results);
    return cudaGetLastError();
}
#endif
