/* tree_two_pass: the textbook reduction.  A grid-stride loop gives each thread a partial sum, a shared-memory tree
 * (low-thread addressing) gives each block one, and a second launch of one block does the same to the block sums.
 *
 *   2 blocks of 2 threads, 8 elements: thread sums 0+4, 1+5 | 2+6, 3+7
 *   (((x0 + x4) + (x1 + x5)) + ((x2 + x6) + (x3 + x7)))    height 2 + 1 + 1
 */
#include "kernels/shared_tree.h"

#define tree_two_pass_can_do shared_tree_can_do
#define tree_two_pass_sums sums_of_blocks

static inline uint64_t tree_two_pass_height(uint64_t n, struct thread_grid grid)
{
    return two_pass_height(n, grid, ceil_log2);
}

#ifndef __CUDACC__
static const void *tree_two_pass_replay(const struct replay_call *call)
{
    replay_block_sums(call, call->grid.threads, replay_shared_tree);
    return replay_finish(call, call->grid.threads, replay_shared_tree);
}

static const struct order_traits tree_two_pass_traits = {.has_threads = true};
#else
KERNEL(tree_two_pass_blocks)(struct elements x, uint64_t n, STATE *sums)
{
    extern __shared__ STATE shared[];
    const STATE sum = shared_tree_sum(shared, grid_stride_sum(x, n));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

KERNEL(tree_two_pass_finish)(const STATE *sums, uint32_t count, struct results results)
{
    extern __shared__ STATE shared[];
    const STATE sum = shared_tree_sum(shared, block_stride_merge(sums, count));
    if (threadIdx.x == 0)
        store_result(results, 0, sum);
}

static cudaError_t tree_two_pass_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const size_t shared_bytes = grid.threads * sizeof(STATE);
    EXPORTED(tree_two_pass_blocks)<<<grid.blocks, grid.threads, shared_bytes, call->stream>>>(call->x, call->n,
                                                                                              call->sums);
    EXPORTED(tree_two_pass_finish)<<<1, grid.threads, shared_bytes, call->stream>>>(call->sums, grid.blocks,
                                                                                    call->results);
    return cudaGetLastError();
}
#endif
