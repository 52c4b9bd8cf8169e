/* tree_rows: the sums of the rows of a matrix, a block each: thread t adds elements t, t+T, t+2T, ... of its row, and a
 * shared-memory tree merges the threads.  The blocks of the launch do not matter: there are as many as rows.
 *
 *   2 threads, rows of 4 elements: thread sums 0+2, 1+3    ((x0 + x2) + (x1 + x3))    height 2 + 1
 *
 * One row has the bits of tree_two_pass with 1 block of 2 threads or more.  (With 1 thread the second pass may still
 * move bits of a Kahan state from its excess to its sum; here there is none.)
 */
#include "kernels/shared_tree.h"
#include "kernels/short_rows.h"

#define tree_rows_can_do shared_tree_can_do
#define tree_rows_sums no_sums

static inline uint64_t tree_rows_height(uint64_t n, struct thread_grid grid)
{
    return grid_stride_height(n, 1, grid.threads, ceil_log2);
}

#ifndef __CUDACC__
/* One row. */
static const void *tree_rows_replay(const struct replay_call *call)
{
    const uint32_t threads = call->grid.threads;
    replay_partial_sums(call, threads, 0, threads, call->partial);
    replay_shared_tree(call->verbs, call->partial, threads, 1);
    return call->partial;
}

static const struct order_traits tree_rows_traits = {.has_threads = true};
#else
KERNEL(tree_rows_kernel)(struct elements x, uint64_t n, struct results results)
{
    extern __shared__ STATE shared[];
    const struct elements row = elements_from(x, blockIdx.x * n);
    const STATE sum = shared_tree_sum(shared, strided_sum(row, threadIdx.x, n, blockDim.x));
    if (threadIdx.x == 0)
        store_result(results, blockIdx.x, sum);
}

/* The tree over all threads: over the slots of each lane, then over the lanes. */
extern "C" __global__ void __launch_bounds__(SHORT_ROWS_BLOCK)
    EXPORTED(tree_rows_short)(struct elements x, uint32_t n, uint32_t rows, uint32_t slots_of_order,
                              struct results results)
{
    short_rows_sums(x, n, rows, slots_of_order, results, [=](STATE *slots, uint32_t slots_used) {
#pragma unroll
        for (int half = SLOTS_MOST / 2; half > 0; half /= 2)
#pragma unroll
            for (int j = 0; j < half; j++)
                if (half < slots_used)
                    slots[j] = A(merge)(slots[j], slots[j + half]);
        return warp_tree_sum(slots[0], WARP);
    });
}

/* A grid has at most 2^31 - 1 blocks; CUDA refuses more rows. */
static cudaError_t tree_rows_launch(const struct device_call *call)
{
    const uint32_t threads = call->grid.threads;
    if (rows_are_short(call)) {
        EXPORTED(tree_rows_short)<<<short_rows_blocks(call), SHORT_ROWS_BLOCK, 0, call->stream>>>(
            call->x, (uint32_t)call->n, call->rows, threads / WARP, call->results);
        return cudaGetLastError();
    }
    EXPORTED(tree_rows_kernel)<<<call->rows, threads, threads * sizeof(STATE), call->stream>>>(call->x, call->n,
                                                                                               call->results);
    return cudaGetLastError();
}
#endif
