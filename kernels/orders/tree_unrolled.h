/* tree_unrolled: as tree_two_pass, but when 32 states are left the last warp merges them through its registers (offsets
 * 16, 8, 4, 2, 1), without waiting for the block: 5 __syncthreads() fewer.  The same merges, so the same bits.
 *
 *   64 threads, 64 elements: thread t merges t and t + 32 in shared memory, then lane l merges l and l + 16, ...
 *   height 1 + 6
 */
#include "kernels/shared_tree.h"
#include "kernels/warp_tree.h"

#define tree_unrolled_sums sums_of_blocks

static inline bool tree_unrolled_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    return shared_tree_can_do(verbs, grid, why) && threads_are_whole_warps(grid, why);
}

static inline uint64_t tree_unrolled_height(uint64_t n, struct thread_grid grid)
{
    return two_pass_height(n, grid, ceil_log2);
}

#ifndef __CUDACC__
/* A warp's tree goes on as the block's does. */
static const void *tree_unrolled_replay(const struct replay_call *call)
{
    replay_block_sums(call, call->grid.threads, replay_shared_tree);
    return replay_finish(call, call->grid.threads, replay_shared_tree);
}

static const struct order_traits tree_unrolled_traits = {.has_threads = true};
#else
/* Returns the block's sum in thread 0.  All of warp 0 takes part in the shuffles, and no other warp. */
static __device__ STATE unrolled_tree_sum(STATE *shared, STATE mine)
{
    shared_tree_down_to(WARP, shared, mine);
    return threadIdx.x < WARP ? warp_tree_sum(shared[threadIdx.x], WARP) : A(zero)();
}

KERNEL(tree_unrolled_blocks)(struct elements x, uint64_t n, STATE *sums)
{
    extern __shared__ STATE shared[];
    const STATE sum = unrolled_tree_sum(shared, grid_stride_sum(x, n));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

KERNEL(tree_unrolled_finish)(const STATE *sums, uint32_t count, struct results results)
{
    extern __shared__ STATE shared[];
    const STATE sum = unrolled_tree_sum(shared, block_stride_merge(sums, count));
    if (threadIdx.x == 0)
        store_result(results, 0, sum);
}

static cudaError_t tree_unrolled_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const size_t shared_bytes = grid.threads * sizeof(STATE);
    EXPORTED(tree_unrolled_blocks)<<<grid.blocks, grid.threads, shared_bytes, call->stream>>>(call->x, call->n,
                                                                                              call->sums);
    EXPORTED(tree_unrolled_finish)<<<1, grid.threads, shared_bytes, call->stream>>>(call->sums, grid.blocks,
                                                                                    call->results);
    return cudaGetLastError();
}
#endif
