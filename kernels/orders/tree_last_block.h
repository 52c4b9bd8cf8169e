/* tree_last_block: tree_two_pass in one kernel: the last block to leave its sum merges them all (kernels/last_block.h).
 * The merges are those of tree_two_pass, whichever block is last: the same bits.
 *
 *   2 blocks of 2 threads, 8 elements: thread sums 0+4, 1+5 | 2+6, 3+7
 *   (((x0 + x4) + (x1 + x5)) + ((x2 + x6) + (x3 + x7)))    height 2 + 1 + 1
 */
#include "kernels/last_block.h"
#include "kernels/shared_tree.h"

#define tree_last_block_can_do shared_tree_can_do
#define tree_last_block_sums last_block_sums

static inline uint64_t tree_last_block_height(uint64_t n, struct thread_grid grid)
{
    return two_pass_height(n, grid, ceil_log2);
}

#ifndef __CUDACC__
static const void *tree_last_block_replay(const struct replay_call *call)
{
    replay_block_sums(call, call->grid.threads, replay_shared_tree);
    return replay_finish(call, call->grid.threads, replay_shared_tree);
}

static const struct order_traits tree_last_block_traits = {.has_threads = true};
#else
KERNEL(tree_last_block_kernel)(struct elements x, uint64_t n, STATE *sums, struct results results)
{
    extern __shared__ STATE shared[];
    if (!is_last_block(sums, shared_tree_sum(shared, grid_stride_sum(x, n))))
        return;
    const STATE sum = shared_tree_sum(shared, block_stride_merge(sums, gridDim.x));
    if (threadIdx.x == 0)
        store_result(results, 0, sum);
}

static cudaError_t tree_last_block_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const cudaError_t cleared = clear_arrivals(call);
    if (cleared != cudaSuccess)
        return cleared;
    EXPORTED(tree_last_block_kernel)<<<grid.blocks, grid.threads, grid.threads * sizeof(STATE), call->stream>>>(
        call->x, call->n, call->sums, call->results);
    return cudaGetLastError();
}
#endif
