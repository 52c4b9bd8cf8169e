/* The last block to arrive finishes what the others began, so that one kernel does the work of two.  Each block writes
 * its sum and adds 1 to a counter; the block that finds all others there goes on, with every sum before its eyes.
 *
 *   3 blocks arrive as 2, 0, 1    block 1 merges the sums, in the order of their places: 0, 1, 2
 *
 * Which block is last changes from run to run, the order of the merges does not.  The counter stands behind the sums,
 * in the place of one more state, and is cleared before each launch.
 */
#pragma once

#include "order.h"

/* The sums of the blocks, and the counter. */
static inline uint64_t last_block_sums(uint64_t n, struct thread_grid grid)
{
    (void)n;
    return (uint64_t)grid.blocks + 1;
}

#ifdef __CUDACC__
static_assert(sizeof(STATE) >= sizeof(uint32_t) && alignof(STATE) >= alignof(uint32_t),
              "the counter takes the place of a state");

static cudaError_t clear_arrivals(const struct device_call *call)
{
    return cudaMemsetAsync(call->sums + call->grid.blocks, 0, sizeof(uint32_t), call->stream);
}

/* Thread 0 leaves the sum of its block; true in every thread of the block that is the last to do so.
 *
 * The first fence puts the sum before the arrival, the second puts the loads of all sums after the last arrival.  It is
 * thread 0 that read the counter, so it is thread 0 that must fence; the barrier hands that on to its block.  A fence
 * behind the barrier would order each thread's loads after a read that it never made. */
static __device__ bool is_last_block(STATE *sums, STATE sum)
{
    bool last = false;
    if (threadIdx.x == 0) {
        uint32_t *arrivals = (uint32_t *)(sums + gridDim.x);
        sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(arrivals, 1u) == gridDim.x - 1;
        __threadfence();
    }
    return __syncthreads_or(last);
}
#endif
