/* What the order files share: the contract, counting, and what they refuse.
 *
 * An order <id> is a file of these functions, each `static`, and `inline` where one of the compilers does not call it,
 * or the name of one that several orders share,
 *
 *   <id>_can_do(verbs, grid, why)   false, with the numbers in `why`, where the order does not fit
 *   <id>_height(n, grid)          additions and merges of non-empty states on the longest path
 *   <id>_sums(n, grid)            states that outlive a block: scratch memory of each row, of replay and kernel alike
 *
 * on the host, where it is compiled once (kernels/replay.c), over the verbs of whichever accumulator (kernels/verbs.h),
 *
 *   <id>_replay(call)             the order of one row as a sequential C program; returns the state that has the sum
 *   <id>_traits                   what others ask of it, a struct order_traits
 *
 * and on the GPU, where it is compiled once per accumulator (kernels/methods.cu), unless its row says ON_HOST,
 *
 *   <id>_launch(call)             the same of each row, with its kernels above it; returns what CUDA says of the launch
 *
 * `grid` is the launch, and how many numbers a load of 16 bytes brings.  A state of `call` holds anything until zero()
 * was called for it.
 */
#pragma once

#include "method.h"
#include "verbs.h"
#ifdef __CUDACC__
#include "portable.h"
#include "stored.h"
#include "terms.h"
#endif

#include <stdio.h>

enum { MAX_THREADS = 1024, WARP = 32, SHARED_BYTES = 48 * 1024 };

#ifdef __CUDACC__
/* Every kernel can be launched with MAX_THREADS threads in a block, whatever the accumulator: 64 registers each. */
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(MAX_THREADS) EXPORTED(name)

/* struct kernel_call with the types of this compilation; `sums` is the scratch memory. */
struct device_call {
    struct elements x;
    uint64_t n;
    uint32_t rows;
    struct thread_grid grid;
    STATE *sums;
    struct results results;
    const double *offsets;         /* NULL, or what is taken from the numbers of each row, and the rest squared */
    const struct formula *formula; /* NULL, or what becomes of the sums of each row */
    cudaStream_t stream;
};

/* 0 where CUDA does not say; the launch will then say why. */
static inline uint32_t attribute_of_device(cudaDeviceAttr attribute)
{
    int device = 0, value = 0;
    return cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess
               ? (uint32_t)value
               : 0;
}

/* A kernel may have more than SHARED_BYTES, together with what its code declares, where it is asked for. */
static inline cudaError_t allow_shared_bytes(const void *kernel, size_t bytes)
{
    if (bytes <= SHARED_BYTES / 2)
        return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}
#else
enum { REPLAY_STATES = 4 * MAX_THREADS };

/* The states that a worker has room for: those of some blocks, or of one whose vectors have many elements. */
static inline size_t replay_states(struct thread_grid grid)
{
    const size_t of_block = (size_t)grid.lanes * grid.threads;
    return of_block > REPLAY_STATES ? of_block : REPLAY_STATES;
}

struct replay_call {
    const struct verbs *verbs;
    const char *x; /* terms */
    uint64_t n;
    struct thread_grid grid;
    void *sums;       /* <id>_sums() states */
    void *partial;    /* replay_states() for each worker */
    unsigned workers; /* threads that may be used; at least 1 */
};

static inline const void *term_at(const struct replay_call *call, uint64_t i)
{
    return call->x + i * call->verbs->term_bytes;
}
#endif

/* ---- counting ---- */

PORTABLE uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

PORTABLE uint64_t at_most(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#ifdef __CUDACC__
/* Of `wanted` blocks, those that run at once. */
static inline uint64_t blocks_at_once(uint64_t wanted, const void *kernel, uint32_t threads, uint32_t shared_bytes)
{
    int blocks = 0;
    if (allow_shared_bytes(kernel, shared_bytes) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, (int)threads, shared_bytes) != cudaSuccess ||
        blocks == 0)
        return wanted;
    return at_most(wanted, (uint64_t)blocks * attribute_of_device(cudaDevAttrMultiProcessorCount));
}
#endif

/* Levels of a binary tree over m leaves. */
PORTABLE uint64_t ceil_log2(uint64_t m)
{
    uint64_t levels = 0;
    while (levels < 63 && (UINT64_C(1) << levels) < m)
        levels++;
    return levels;
}

static inline uint64_t grid_size(struct thread_grid grid)
{
    return (uint64_t)grid.blocks * grid.threads;
}

/* Merges on the longest path within a block whose first m states are not empty. */
typedef uint64_t levels_function(uint64_t m);

/* <id>_sums() of an order that keeps the sum of each block, and of one that keeps none. */
static inline uint64_t sums_of_blocks(uint64_t n, struct thread_grid grid)
{
    (void)n;
    return grid.blocks;
}

static inline uint64_t no_sums(uint64_t n, struct thread_grid grid)
{
    (void)n, (void)grid;
    return 0;
}

/* A grid-stride loop with `states` states a block, then merges within the block.  State 0 of block 0 is on the longest
 * path: it has the most elements, and a partner at every level. */
static inline uint64_t grid_stride_height(uint64_t n, uint64_t blocks, uint64_t states, levels_function *levels)
{
    return ceil_div(n, blocks * states) + levels(at_most(states, n));
}

/* One block of `threads` threads merges `count` sums: thread t the sums t, t+T, t+2T, ..., then merges within. */
static inline uint64_t block_merge_height(uint64_t count, uint64_t threads, levels_function *levels)
{
    return (ceil_div(count, threads) - 1) + levels(at_most(threads, count));
}

/* Both, the second over the block sums: each thread one state. */
static inline uint64_t two_pass_height(uint64_t n, struct thread_grid grid, levels_function *levels)
{
    const uint64_t blocks_with_elements = at_most(grid.blocks, ceil_div(n, grid.threads));
    return n == 0 ? 0
                  : grid_stride_height(n, grid.blocks, grid.threads, levels) +
                        block_merge_height(blocks_with_elements, grid.threads, levels);
}

/* The block sums one after another: that of block 0 is merged with every other. */
static inline uint64_t serial_finish_height(uint64_t n, struct thread_grid grid, levels_function *levels)
{
    const uint64_t blocks_with_elements = at_most(grid.blocks, ceil_div(n, grid.threads));
    return n == 0 ? 0 : grid_stride_height(n, grid.blocks, grid.threads, levels) + (blocks_with_elements - 1);
}

/* ---- what does not fit ---- */

static inline bool threads_fit(struct thread_grid grid, char why[REASON_SIZE])
{
    if (grid.threads >= 1 && grid.threads <= MAX_THREADS)
        return true;
    snprintf(why, REASON_SIZE, "%u threads in a block; a GPU has 1 to %d", grid.threads, MAX_THREADS);
    return false;
}

static inline bool threads_are_whole_warps(struct thread_grid grid, char why[REASON_SIZE])
{
    if (grid.threads > 0 && grid.threads % WARP == 0)
        return true;
    snprintf(why, REASON_SIZE, "%u thread%s in a block; warp shuffles need a multiple of %d", grid.threads,
             grid.threads == 1 ? "" : "s", WARP);
    return false;
}

static inline bool threads_are_a_power_of_two(struct thread_grid grid, char why[REASON_SIZE])
{
    if (grid.threads > 0 && (grid.threads & (grid.threads - 1)) == 0)
        return true;
    snprintf(why, REASON_SIZE, "%u threads in a block; the tree needs a power of two", grid.threads);
    return false;
}

/* One state per thread in shared memory. */
static inline bool states_fit(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    const size_t bytes = grid.threads * verbs->state_bytes;
    if (bytes <= SHARED_BYTES)
        return true;
    snprintf(why, REASON_SIZE, "%zu bytes of shared memory for %u states of %zu; a block has %d", bytes, grid.threads,
             verbs->state_bytes, SHARED_BYTES);
    return false;
}
