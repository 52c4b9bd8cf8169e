/* shuffle_two_pass: as tree_two_pass, but within a warp the partial sums travel through registers (__shfl_down_sync,
 * offsets 16, 8, 4, 2, 1), and one thread merges the warp sums left to right.
 *
 *   64 threads, 64 elements: each warp as a tree over lanes l and l + 16, l + 8, ...;  warp0 + warp1
 *   height 1 + 5 + 1
 */
#include "../order.h"

static inline bool shuffle_two_pass_can_do(struct launch launch, char why[REASON_SIZE])
{
    if (launch.threads == 0 || launch.threads % WARP != 0) {
        snprintf(why, REASON_SIZE, "%u threads in a block; warp shuffles need a multiple of %d", launch.threads, WARP);
        return false;
    }
    return threads_fit(launch, why);
}

/* Merges on the longest path of a block whose first m threads hold a sum: lane 0 of warp 0. */
static inline uint64_t shuffle_levels(uint64_t m)
{
    return m == 0 ? 0 : ceil_log2(at_most(WARP, m)) + (ceil_div(m, WARP) - 1);
}

static inline uint64_t shuffle_two_pass_height(uint64_t n, struct launch launch)
{
    return two_pass_height(n, launch, shuffle_levels);
}

static inline size_t shuffle_two_pass_sums(struct launch launch)
{
    return launch.blocks;
}

#ifndef __CUDACC__
static STATE replay_shuffle_block(STATE *lanes, uint32_t threads)
{
    STATE sum = A(zero)();
    for (uint32_t warp = 0; warp < threads; warp += WARP) {
        for (uint32_t offset = WARP / 2; offset > 0; offset /= 2)
            for (uint32_t l = warp; l < warp + offset; l++)
                lanes[l] = A(merge)(lanes[l], lanes[l + offset]);
        sum = warp == 0 ? lanes[0] : A(merge)(sum, lanes[warp]);
    }
    return sum;
}

static STATE shuffle_two_pass_replay(const real *x, uint64_t n, struct launch launch, struct replay_memory memory)
{
    for (uint32_t b = 0; b < launch.blocks; b++) {
        replay_grid_stride_sums(x, n, launch, b, memory.shared);
        memory.sums[b] = replay_shuffle_block(memory.shared, launch.threads);
    }
    replay_block_stride_merges(memory.sums, launch.blocks, launch.threads, memory.shared);
    return replay_shuffle_block(memory.shared, launch.threads);
}
#else
/* The state of the lane `offset` above; states are whole 32-bit words. */
static __device__ STATE shuffle_down(STATE s, uint32_t offset)
{
    enum { WORDS = sizeof(STATE) / sizeof(uint32_t) };
    static_assert(sizeof(STATE) % sizeof(uint32_t) == 0, "a state is shuffled word by word");
    uint32_t words[WORDS];
    memcpy(words, &s, sizeof s);
    for (int w = 0; w < WORDS; w++)
        words[w] = __shfl_down_sync(0xffffffffu, words[w], offset);
    memcpy(&s, words, sizeof s);
    return s;
}

/* Returns the block's sum in thread 0. */
static __device__ STATE shuffle_block_sum(STATE *warp_sums, STATE mine)
{
    for (uint32_t offset = WARP / 2; offset > 0; offset /= 2)
        mine = A(merge)(mine, shuffle_down(mine, offset));
    if (threadIdx.x % WARP == 0)
        warp_sums[threadIdx.x / WARP] = mine;
    __syncthreads();
    if (threadIdx.x == 0)
        for (uint32_t warp = 1; warp < blockDim.x / WARP; warp++)
            mine = A(merge)(mine, warp_sums[warp]);
    return mine;
}

extern "C" __global__ void EXPORTED(shuffle_two_pass_blocks)(const real *x, uint64_t n, STATE *sums)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const STATE sum = shuffle_block_sum(warp_sums, grid_stride_sum(x, n));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void EXPORTED(shuffle_two_pass_finish)(const STATE *sums, uint32_t count, real *result)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const STATE sum = shuffle_block_sum(warp_sums, block_stride_merge(sums, count));
    if (threadIdx.x == 0)
        *result = A(round)(sum);
}

static cudaError_t shuffle_two_pass_launch(const real *x, uint64_t n, struct launch launch, STATE *sums, real *result,
                                           cudaStream_t stream)
{
    EXPORTED(shuffle_two_pass_blocks)<<<launch.blocks, launch.threads, 0, stream>>>(x, n, sums);
    EXPORTED(shuffle_two_pass_finish)<<<1, launch.threads, 0, stream>>>(sums, launch.blocks, result);
    return cudaGetLastError();
}
#endif
