/* The shared-memory tree with low-thread addressing, which several orders use: thread t merges t and t + stride, for
 * stride T/2, T/4, ..., 1.  And the one that begins with neighbours, stride 1, 2, 4, ...
 *
 *   4 threads    (t0 + t2) + (t1 + t3)    2 levels
 */
#pragma once

#include "grid_stride.h"

static inline bool shared_tree_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    return threads_are_a_power_of_two(grid, why) && threads_fit(grid, why) && states_fit(verbs, grid, why);
}

#ifndef __CUDACC__
/* Of each block the first half takes the second, until one state is left. */
static inline void replay_shared_tree(const struct verbs *verbs, void *shared, uint32_t threads, uint64_t blocks)
{
    for (uint32_t stride = threads / 2; stride > 0; stride /= 2)
        verbs->merge(shared, state_at(verbs, shared, stride), (struct merges){stride, 1, blocks, threads});
    verbs->gather(shared, threads, blocks);
}
#else
/* The levels above `left` states, which end up in shared[0] to shared[left - 1]. */
static __device__ void shared_tree_down_to(uint32_t left, STATE *shared, STATE mine)
{
    const uint32_t t = threadIdx.x;
    shared[t] = mine;
    __syncthreads();
    for (uint32_t stride = blockDim.x / 2; stride >= left; stride /= 2) {
        if (t < stride)
            shared[t] = A(merge)(shared[t], shared[t + stride]);
        __syncthreads();
    }
}

/* Returns the block's sum in thread 0. */
static __device__ STATE shared_tree_sum(STATE *shared, STATE mine)
{
    shared_tree_down_to(1, shared, mine);
    return shared[0];
}

/* The other way round, neighbours first: thread t merges t and t + stride where t is a multiple of 2 stride, for stride
 * 1, 2, 4, ... below `width`.  Returns the sum in thread 0; may be called again and again. */
static __device__ STATE neighbour_tree_sum(STATE *shared, STATE mine, uint32_t width)
{
    const uint32_t t = threadIdx.x;
    __syncthreads(); /* the readers of the last sum are done */
    shared[t] = mine;
    __syncthreads();
    for (uint32_t stride = 1; stride < width; stride *= 2) {
        if (t % (2 * stride) == 0)
            shared[t] = A(merge)(shared[t], shared[t + stride]);
        __syncthreads();
    }
    return shared[0];
}
#endif
