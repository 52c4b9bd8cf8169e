/* strided_serial: each thread adds every G-th element (G = blocks x threads), and one thread then adds the G partial
 * sums left to right: the dot product that everyone writes first.
 *
 *   2 blocks of 2 threads, 8 elements: thread sums 0+4, 1+5, 2+6, 3+7
 *   ((((x0 + x4) + (x1 + x5)) + (x2 + x6)) + (x3 + x7))    height 2 + 3
 *
 * The last thread's work is the grid, not n: larger grids only make it slower.
 */
#include "kernels/grid_stride.h"

#define strided_serial_sums strided_serial_partial_sums

/* As many as serial adds before it is slow. */
enum { STRIDED_SERIAL_MOST = 1 << 24 };

static inline bool strided_serial_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    (void)verbs;
    if (!threads_fit(grid, why))
        return false;
    if (grid_size(grid) <= STRIDED_SERIAL_MOST)
        return true;
    snprintf(why, REASON_SIZE, "%llu partial sums for one thread to add, which takes seconds; at most %d",
             (unsigned long long)grid_size(grid), STRIDED_SERIAL_MOST);
    return false;
}

/* Threads beyond n hold nothing. */
static inline uint64_t strided_serial_partial_sums(uint64_t n, struct thread_grid grid)
{
    return at_most(grid_size(grid), n);
}

/* The first partial sum has the most elements and is merged with every other. */
static inline uint64_t strided_serial_height(uint64_t n, struct thread_grid grid)
{
    return n == 0 ? 0 : ceil_div(n, grid_size(grid)) + (strided_serial_partial_sums(n, grid) - 1);
}

#ifndef __CUDACC__
static void strided_serial_only_thread(const struct verbs *verbs, void *partial, uint32_t states, uint64_t blocks)
{
    (void)verbs, (void)partial, (void)states, (void)blocks;
}

/* A grid of G threads is G blocks of one. */
static const void *strided_serial_replay(const struct replay_call *call)
{
    struct replay_call threads = *call;
    threads.grid.blocks = (uint32_t)strided_serial_partial_sums(call->n, call->grid);
    threads.grid.threads = 1;
    replay_block_sums(&threads, 1, strided_serial_only_thread);
    return replay_left_to_right(&threads, threads.grid.blocks);
}

static const struct order_traits strided_serial_traits = {.has_threads = true};
#else
KERNEL(strided_serial_threads)(struct elements x, uint64_t n, STATE *sums)
{
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < n)
        sums[thread] = grid_stride_sum(x, n);
}

KERNEL(strided_serial_finish)(const STATE *sums, uint64_t count, struct results results)
{
    store_result(results, 0, left_to_right(sums, count));
}

static cudaError_t strided_serial_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const uint64_t count = strided_serial_partial_sums(call->n, grid);
    EXPORTED(strided_serial_threads)<<<grid.blocks, grid.threads, 0, call->stream>>>(call->x, call->n, call->sums);
    EXPORTED(strided_serial_finish)<<<1, 1, 0, call->stream>>>(call->sums, count, call->results);
    return cudaGetLastError();
}
#endif
