/* What the order files share: counting, the memory of a replay, and on the device the calls that every launcher makes.
 *
 * An order <id> is a file of these functions, each `static`, downward:
 *
 *   <id>_can_do(launch, why)      false, with the numbers in `why`, where the order does not fit
 *   <id>_height(n, launch)        additions and merges of non-empty states on the longest path
 *   <id>_sums(launch)             partial sums that outlive a block: scratch memory of replay and kernel alike
 *   <id>_replay(x, n, launch, memory)
 *   <id>_launch(x, n, launch, sums, result, stream)      with its kernels above it
 */
#ifndef ULPSCOPE_ORDER_H
#define ULPSCOPE_ORDER_H

#include "../src/method.h"
#include "portable.h"

#include <stdio.h>

enum { MAX_THREADS = 1024, WARP = 32, SHARED_BYTES = 48 * 1024 };

static inline uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint64_t at_most(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Levels of a binary tree over m leaves. */
static inline uint64_t ceil_log2(uint64_t m)
{
    uint64_t levels = 0;
    while (levels < 63 && (UINT64_C(1) << levels) < m)
        levels++;
    return levels;
}

/* Blocks of a grid-stride loop that get an element. */
static inline uint64_t blocks_with_elements(uint64_t n, struct launch launch)
{
    return at_most(launch.blocks, ceil_div(n, launch.threads));
}

static inline uint64_t grid_size(struct launch launch)
{
    return (uint64_t)launch.blocks * launch.threads;
}

/* The height of two passes, each a grid-stride loop and then `levels(m)` merges over the m threads that hold a sum.
 * Thread 0 of block 0 is on the longest path: it has the most elements, and a partner at every level. */
static inline uint64_t two_pass_height(uint64_t n, struct launch launch, uint64_t (*levels)(uint64_t m))
{
    const uint64_t threads = launch.threads, blocks = blocks_with_elements(n, launch);
    if (n == 0)
        return 0;
    const uint64_t first_pass = ceil_div(n, grid_size(launch)) + levels(at_most(threads, n));
    const uint64_t second_pass = (ceil_div(blocks, threads) - 1) + levels(at_most(threads, blocks));
    return first_pass + second_pass;
}

static inline bool threads_fit(struct launch launch, char why[REASON_SIZE])
{
    if (launch.threads <= MAX_THREADS)
        return true;
    snprintf(why, REASON_SIZE, "%u threads in a block; a GPU has at most %d", launch.threads, MAX_THREADS);
    return false;
}

/* One state a thread in shared memory. */
static inline bool states_fit(struct launch launch, char why[REASON_SIZE])
{
    const size_t bytes = launch.threads * sizeof(STATE);
    if (bytes <= SHARED_BYTES)
        return true;
    snprintf(why, REASON_SIZE, "%zu bytes of shared memory; a block has %d", bytes, SHARED_BYTES);
    return false;
}

/* The memory of a replay, named as on the GPU. */
struct replay_memory {
    STATE *shared; /* one state a thread of the block */
    STATE *sums;   /* <id>_sums() states */
};

#ifdef __CUDACC__
/* A grid-stride loop, left to right: thread t of block b adds elements bT+t, bT+t+BT, ... */
static __device__ STATE grid_stride_sum(const real *x, uint64_t n)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    STATE s = A(zero)();
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        s = A(add)(s, TERM(x, i));
    return s;
}

/* Thread t of the one block merges sums t, t+T, t+2T, ... */
static __device__ STATE block_stride_merge(const STATE *sums, uint32_t count)
{
    STATE s = A(zero)();
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        s = A(merge)(s, sums[i]);
    return s;
}
#else
/* The partial sums of block `block`.  Row by row, so that memory is read in order; each thread still adds its own
 * elements in theirs. */
static inline void replay_grid_stride_sums(const real *x, uint64_t n, struct launch launch, uint32_t block,
                                           STATE *partial)
{
    const uint64_t stride = grid_size(launch);
    for (uint32_t t = 0; t < launch.threads; t++)
        partial[t] = A(zero)();
    for (uint64_t row = (uint64_t)block * launch.threads; row < n; row += stride) {
        const uint64_t width = at_most(launch.threads, n - row);
        for (uint64_t t = 0; t < width; t++)
            partial[t] = A(add)(partial[t], TERM(x, row + t));
    }
}

static inline void replay_block_stride_merges(const STATE *sums, uint32_t count, uint32_t threads, STATE *partial)
{
    for (uint32_t t = 0; t < threads; t++) {
        partial[t] = A(zero)();
        for (uint32_t i = t; i < count; i += threads)
            partial[t] = A(merge)(partial[t], sums[i]);
    }
}
#endif

#endif
