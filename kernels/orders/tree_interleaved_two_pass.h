/* tree_interleaved_two_pass: as tree_two_pass, but neighbours meet first: thread t merges t and t + stride where t is a
 * multiple of 2 stride, for stride 1, 2, 4, ...  The reduction that is taught first, and then improved: the threads
 * that work are scattered over all warps.
 *
 *   2 blocks of 2 threads, 8 elements: thread sums 0+4, 1+5 | 2+6, 3+7, and the tree as in tree_two_pass
 *   1 block of 4 threads, 4 elements:  ((x0 + x1) + (x2 + x3))    height 1 + 2;  tree_two_pass: ((x0 + x2) + (x1 + x3))
 */
#include "kernels/shared_tree.h"

#define tree_interleaved_two_pass_can_do shared_tree_can_do
#define tree_interleaved_two_pass_sums sums_of_blocks

static inline uint64_t tree_interleaved_two_pass_height(uint64_t n, struct thread_grid grid)
{
    return two_pass_height(n, grid, ceil_log2);
}

#ifndef __CUDACC__
static void replay_interleaved_tree(const struct verbs *verbs, void *shared, uint32_t threads, uint64_t blocks)
{
    for (uint32_t stride = 1; stride < threads; stride *= 2)
        verbs->merge(shared, state_at(verbs, shared, stride),
                     (struct merges){threads / (2 * stride), 2 * stride, blocks, threads});
    verbs->gather(shared, threads, blocks);
}

static const void *tree_interleaved_two_pass_replay(const struct replay_call *call)
{
    replay_block_sums(call, call->grid.threads, replay_interleaved_tree);
    return replay_finish(call, call->grid.threads, replay_interleaved_tree);
}

static const struct order_traits tree_interleaved_two_pass_traits = {.has_threads = true};
#else
KERNEL(tree_interleaved_two_pass_blocks)(struct elements x, uint64_t n, STATE *sums)
{
    extern __shared__ STATE shared[];
    const STATE sum = neighbour_tree_sum(shared, grid_stride_sum(x, n), blockDim.x);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

KERNEL(tree_interleaved_two_pass_finish)(const STATE *sums, uint32_t count, struct results results)
{
    extern __shared__ STATE shared[];
    const STATE sum = neighbour_tree_sum(shared, block_stride_merge(sums, count), blockDim.x);
    if (threadIdx.x == 0)
        store_result(results, 0, sum);
}

static cudaError_t tree_interleaved_two_pass_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const size_t shared_bytes = grid.threads * sizeof(STATE);
    EXPORTED(tree_interleaved_two_pass_blocks)<<<grid.blocks, grid.threads, shared_bytes, call->stream>>>(
        call->x, call->n, call->sums);
    EXPORTED(tree_interleaved_two_pass_finish)<<<1, grid.threads, shared_bytes, call->stream>>>(call->sums, grid.blocks,
                                                                                                call->results);
    return cudaGetLastError();
}
#endif
