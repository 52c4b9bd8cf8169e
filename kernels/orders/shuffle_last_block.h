/* shuffle_last_block: shuffle_two_pass in one kernel: the last block to leave its sum merges them all
 * (kernels/last_block.h).  The merges are those of shuffle_two_pass, whichever block is last: the same bits.
 *
 *   64 threads, 64 elements: each warp as a tree over lanes l and l + 16, l + 8, ...;  warp0 + warp1
 *   height 1 + 5 + 1
 */
#include "kernels/last_block.h"
#include "kernels/warp_tree.h"

#define shuffle_last_block_can_do warp_tree_can_do
#define shuffle_last_block_sums last_block_sums

static inline uint64_t shuffle_last_block_height(uint64_t n, struct thread_grid grid)
{
    return two_pass_height(n, grid, warp_tree_serial_levels);
}

#ifndef __CUDACC__
static const void *shuffle_last_block_replay(const struct replay_call *call)
{
    replay_block_sums(call, call->grid.threads, replay_warp_tree_serial);
    return replay_finish(call, call->grid.threads, replay_warp_tree_serial);
}

static const struct order_traits shuffle_last_block_traits = {.has_threads = true};
#else
KERNEL(shuffle_last_block_kernel)(struct elements x, uint64_t n, STATE *sums, struct results results)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    if (!is_last_block(sums, warp_tree_serial_sum(warp_sums, grid_stride_sum(x, n))))
        return;
    const STATE sum = warp_tree_serial_sum(warp_sums, block_stride_merge(sums, gridDim.x));
    if (threadIdx.x == 0)
        store_result(results, 0, sum);
}

static cudaError_t shuffle_last_block_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const cudaError_t cleared = clear_arrivals(call);
    if (cleared != cudaSuccess)
        return cleared;
    EXPORTED(shuffle_last_block_kernel)<<<grid.blocks, grid.threads, 0, call->stream>>>(call->x, call->n, call->sums,
                                                                                        call->results);
    return cudaGetLastError();
}
#endif
