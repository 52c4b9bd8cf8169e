/* tree_atomic: block sums as in tree_two_pass, then one atomicAdd a block, in the order in which the blocks arrive. Not
 * deterministic: the replay lets them arrive in order, which is one possible result.
 *
 *   3 blocks    ((b0 + b1) + b2), or ((b2 + b0) + b1), or ...
 */
#include "../shared_tree.h"

static inline bool tree_atomic_can_do(struct launch launch, char why[REASON_SIZE])
{
    if (!A(HAS_ATOMIC)) {
        snprintf(why, REASON_SIZE, "no atomic merge: atomicAdd takes one float or double, not a compensated state");
        return false;
    }
    return shared_tree_can_do(launch, why);
}

/* The first block to arrive is merged with every other. */
static inline uint64_t tree_atomic_height(uint64_t n, struct launch launch)
{
    if (n == 0)
        return 0;
    const uint64_t block = ceil_div(n, grid_size(launch)) + ceil_log2(at_most(launch.threads, n));
    return block + (blocks_with_elements(n, launch) - 1);
}

static inline size_t tree_atomic_sums(struct launch launch)
{
    (void)launch;
    return 1;
}

#ifndef __CUDACC__
static STATE tree_atomic_replay(const real *x, uint64_t n, struct launch launch, struct replay_memory memory)
{
    memory.sums[0] = A(zero)();
    for (uint32_t b = 0; b < launch.blocks; b++) {
        replay_grid_stride_sums(x, n, launch, b, memory.shared);
        memory.sums[0] = A(merge)(memory.sums[0], replay_shared_tree(memory.shared, launch.threads));
    }
    return memory.sums[0];
}
#else
#if A(HAS_ATOMIC)
extern "C" __global__ void EXPORTED(tree_atomic_blocks)(const real *x, uint64_t n, STATE *total)
{
    extern __shared__ STATE shared[];
    const STATE sum = shared_tree_sum(shared, grid_stride_sum(x, n));
    if (threadIdx.x == 0)
        A(merge_atomic)(total, sum);
}

extern "C" __global__ void EXPORTED(tree_atomic_finish)(const STATE *total, real *result)
{
    *result = A(round)(*total);
}

static cudaError_t tree_atomic_launch(const real *x, uint64_t n, struct launch launch, STATE *total, real *result,
                                      cudaStream_t stream)
{
    const size_t shared_bytes = launch.threads * sizeof(STATE);
    const cudaError_t cleared = cudaMemsetAsync(total, 0, sizeof *total, stream); /* all zero bits: the zero state */
    if (cleared != cudaSuccess)
        return cleared;
    EXPORTED(tree_atomic_blocks)<<<launch.blocks, launch.threads, shared_bytes, stream>>>(x, n, total);
    EXPORTED(tree_atomic_finish)<<<1, 1, 0, stream>>>(total, result);
    return cudaGetLastError();
}
#else
static cudaError_t tree_atomic_launch(const real *, uint64_t, struct launch, STATE *, real *, cudaStream_t)
{
    return cudaErrorNotSupported; /* can_do refused it */
}
#endif
#endif
