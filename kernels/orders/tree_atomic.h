/* tree_atomic: block sums as in tree_two_pass, then one atomicAdd a block, in the order in which the blocks arrive. Not
 * deterministic, but where the accumulator is exact: the replay lets them arrive in order, which is one possible
 * result.
 *
 *   3 blocks    ((b0 + b1) + b2), or ((b2 + b0) + b1), or ...
 */
#include "kernels/shared_tree.h"

static inline bool tree_atomic_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    if (verbs->has_atomic)
        return shared_tree_can_do(verbs, grid, why);
    snprintf(why, REASON_SIZE, "no atomic merge: atomicAdd takes one number, and the state has several");
    return false;
}

/* The first block to arrive is merged with every other. */
static inline uint64_t tree_atomic_height(uint64_t n, struct thread_grid grid)
{
    return serial_finish_height(n, grid, ceil_log2);
}

static inline uint64_t tree_atomic_sums(uint64_t n, struct thread_grid grid)
{
    (void)n;
    return grid.blocks; /* of the replay; the kernels need one */
}

#ifndef __CUDACC__
static const void *tree_atomic_replay(const struct replay_call *call)
{
    replay_block_sums(call, call->grid.threads, replay_shared_tree);
    return replay_left_to_right(call, call->grid.blocks);
}

static const struct order_traits tree_atomic_traits = {.has_threads = true};
#elif A(HAS_ATOMIC)
KERNEL(tree_atomic_blocks)(struct elements x, uint64_t n, STATE *total)
{
    extern __shared__ STATE shared[];
    const STATE sum = shared_tree_sum(shared, grid_stride_sum(x, n));
    if (threadIdx.x == 0)
        A(merge_atomic)(total, sum);
}

KERNEL(tree_atomic_finish)(const STATE *total, struct results results)
{
    store_result(results, 0, *total);
}

static cudaError_t tree_atomic_launch(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const size_t shared_bytes = grid.threads * sizeof(STATE);
    STATE *total = call->sums;
    const cudaError_t cleared = cudaMemsetAsync(total, 0, sizeof *total, call->stream); /* the zero state */
    if (cleared != cudaSuccess)
        return cleared;
    EXPORTED(tree_atomic_blocks)<<<grid.blocks, grid.threads, shared_bytes, call->stream>>>(call->x, call->n, total);
    EXPORTED(tree_atomic_finish)<<<1, 1, 0, call->stream>>>(total, call->results);
    return cudaGetLastError();
}
#else
static cudaError_t tree_atomic_launch(const struct device_call *)
{
    return cudaErrorNotSupported; /* can_do refused it */
}
#endif
