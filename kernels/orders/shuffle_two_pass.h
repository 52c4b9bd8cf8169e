/* shuffle_two_pass: as tree_two_pass, but within a warp the partial sums travel through registers (__shfl_down_sync,
 * offsets 16, 8, 4, 2, 1), and one thread merges the warp sums left to right.
 *
 *   64 threads, 64 elements: each warp as a tree over lanes l and l + 16, l + 8, ...;  warp0 + warp1
 *   height 1 + 5 + 1
 */
#include "kernels/warp_tree.h"

#define shuffle_two_pass_can_do warp_tree_can_do
#define shuffle_two_pass_sums sums_of_blocks

static inline uint64_t shuffle_two_pass_height(uint64_t n, struct thread_grid grid)
{
    return two_pass_height(n, grid, warp_tree_serial_levels);
}

#ifndef __CUDACC__
static const void *shuffle_two_pass_replay(const struct replay_call *call)
{
    replay_block_sums(call, call->grid.threads, replay_warp_tree_serial);
    return replay_finish(call, call->grid.threads, replay_warp_tree_serial);
}

static const struct order_traits shuffle_two_pass_traits = {.has_threads = true};
#else
KERNEL(shuffle_two_pass_blocks)(struct elements x, uint64_t n, STATE *sums)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const STATE sum = warp_tree_serial_sum(warp_sums, grid_stride_sum(x, n));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

KERNEL(shuffle_two_pass_finish)(const STATE *sums, uint32_t count, struct results results)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const STATE sum = warp_tree_serial_sum(warp_sums, block_stride_merge(sums, count));
    if (threadIdx.x == 0)
        store_result(results, 0, sum);
}

static cudaError_t shuffle_two_pass_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    EXPORTED(shuffle_two_pass_blocks)<<<grid.blocks, grid.threads, 0, call->stream>>>(call->x, call->n, call->sums);
    EXPORTED(shuffle_two_pass_finish)<<<1, grid.threads, 0, call->stream>>>(call->sums, grid.blocks, call->results);
    return cudaGetLastError();
}
#endif
