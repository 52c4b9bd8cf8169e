/* shuffle_rows: the sums of the rows of a matrix, a block each: thread t adds elements t, t+T, t+2T, ... of its row,
 * each warp is a tree of shuffles, and one thread merges the warp sums left to right.  The blocks of the launch do not
 * matter: there are as many as rows.
 *
 *   64 threads, rows of 64 elements: each warp as a tree over lanes l and l + 16, l + 8, ...;  warp0 + warp1
 *   height 1 + 5 + 1
 *
 * One row has the bits of shuffle_two_pass with 1 block.
 */
#include "kernels/short_rows.h"

#define shuffle_rows_can_do warp_tree_can_do
#define shuffle_rows_sums no_sums

static inline uint64_t shuffle_rows_height(uint64_t n, struct thread_grid grid)
{
    return grid_stride_height(n, 1, grid.threads, warp_tree_serial_levels);
}

#ifndef __CUDACC__
/* One row. */
static const void *shuffle_rows_replay(const struct replay_call *call)
{
    const uint32_t threads = call->grid.threads;
    replay_partial_sums(call, threads, 0, threads, call->partial);
    replay_warp_tree_serial(call->verbs, call->partial, threads, 1);
    return call->partial;
}

static const struct order_traits shuffle_rows_traits = {.has_threads = true};
#else
KERNEL(shuffle_rows_kernel)(struct elements x, uint64_t n, struct results results)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const struct elements row = elements_from(x, blockIdx.x * n);
    const STATE sum = warp_tree_serial_sum(warp_sums, strided_sum(row, threadIdx.x, n, blockDim.x));
    if (threadIdx.x == 0)
        store_result(results, blockIdx.x, sum);
}

/* A tree over the lanes of each slot, which is a warp of the block, and then left to right; slots without elements are
 * all alike. */
extern "C" __global__ void __launch_bounds__(SHORT_ROWS_BLOCK)
    EXPORTED(shuffle_rows_short)(struct elements x, uint32_t n, uint32_t rows, uint32_t slots_of_order,
                                 struct results results)
{
    const STATE empty = warp_tree_sum(A(zero)(), WARP);
    short_rows_sums(x, n, rows, slots_of_order, results, [=](STATE *slots, uint32_t slots_used) {
        STATE sum = warp_tree_sum(slots[0], WARP);
#pragma unroll
        for (int j = 1; j < SLOTS_MOST; j++)
            if (j < slots_used)
                sum = A(merge)(sum, j * WARP < n ? warp_tree_sum(slots[j], WARP) : empty);
        return sum;
    });
}

/* A grid has at most 2^31 - 1 blocks; CUDA refuses more rows. */
static cudaError_t shuffle_rows_launch(const struct device_call *call)
{
    if (rows_are_short(call)) {
        EXPORTED(shuffle_rows_short)<<<short_rows_blocks(call), SHORT_ROWS_BLOCK, 0, call->stream>>>(
            call->x, (uint32_t)call->n, call->rows, call->grid.threads / WARP, call->results);
        return cudaGetLastError();
    }
    EXPORTED(shuffle_rows_kernel)<<<call->rows, call->grid.threads, 0, call->stream>>>(call->x, call->n, call->results);
    return cudaGetLastError();
}
#endif
