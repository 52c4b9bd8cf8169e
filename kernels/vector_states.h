/* What a thread of the fast order adds to: a state in registers for each element of a vector, so that the additions of
 * a thread do not all wait for each other.
 */
#ifndef ULPSCOPE_VECTOR_STATES_H
#define ULPSCOPE_VECTOR_STATES_H

#include "warp_tree.h"

static inline bool vector_partials_fit(struct thread_grid grid, char why[REASON_SIZE])
{
    (void)grid, (void)why;
    return true;
}

static inline size_t vector_shared_bytes(uint32_t threads)
{
    (void)threads;
    return 0;
}

#ifdef __CUDACC__
struct partial {
    STATE state[LANES];
};

static __device__ void partial_add(struct partial *partial, int lane, real x)
{
    partial->state[lane] = A(add)(partial->state[lane], x);
}

enum {
    /* In a batch, of which one is in flight while the last is added.  Four are needed to keep the memory busy, but
     * where a state is large four times four of its additions do not fit the registers: binned then runs at 0.41 of
     * CUB's speed instead of 0.96. */
    VECTORS_AHEAD = sizeof(STATE) <= 16 ? 4 : 2,
};

#include "vector_loop.h"

/* The tree over the states of a thread. */
static __device__ STATE partial_sum(struct partial *partial)
{
#pragma unroll
    for (int stride = LANES / 2; stride > 0; stride /= 2)
#pragma unroll
        for (int l = 0; l < stride; l++)
            partial->state[l] = A(merge)(partial->state[l], partial->state[l + stride]);
    return partial->state[0];
}

/* Returns the block's sum in thread 0. */
static __device__ STATE vector_grid_sum(const real *x, uint64_t n)
{
    struct partial partial;
#pragma unroll
    for (int l = 0; l < LANES; l++)
        partial.state[l] = A(zero)();
    add_vectors(&partial, x, n);
    return warp_tree_block_sum(partial_sum(&partial));
}

/* One block merges the sums of all; in thread 0. */
static __device__ STATE vector_merge(const STATE *sums, uint32_t count)
{
    return warp_tree_block_sum(block_stride_merge(sums, count));
}
#endif

#endif
