/* vector_two_pass: the fast one.  A grid-stride loop over vectors of 16 bytes, with one state for each element of the
 * vector: loads are wide, several are in flight, and the additions of a thread do not all wait for each other.  Then a
 * tree over the states of a thread, the lanes of a warp and the warps of a block, and a second launch for the blocks.
 *
 *   1 block of 32 threads, 16 elements: lane 0 has x0 x1 x2 x3, lane 1 x4 ... x7, lane 2 x8 ... x11, lane 3 x12 ... x15
 *   (((x0+x2)+(x1+x3)) + ((x8+x10)+(x9+x11))) + (((x4+x6)+(x5+x7)) + ((x12+x14)+(x13+x15)))    height 1 + 4
 */
#include "../warp_tree.h"

enum {
    /* In a batch, of which one is in flight while the last is added.  Four are needed to keep the memory busy, but
     * where a state is large four times four of its additions do not fit the registers: binned then runs at 0.41 of
     * CUB's speed instead of 0.96. */
    VECTORS_AHEAD = sizeof(STATE) <= 16 ? 4 : 2,
};

static inline bool vector_two_pass_can_do(struct launch launch, char why[REASON_SIZE])
{
    return threads_are_a_power_of_two(launch, why) && threads_are_whole_warps(launch, why) && threads_fit(launch, why);
}

/* The first m threads hold a sum: the lanes of a warp, then the warps. */
static inline uint64_t vector_thread_levels(uint64_t m)
{
    return ceil_log2(at_most(WARP, m)) + ceil_log2(ceil_div(m, WARP));
}

/* The first m states of a block do. */
static inline uint64_t vector_state_levels(uint64_t m)
{
    return ceil_log2(at_most(LANES, m)) + vector_thread_levels(ceil_div(m, LANES));
}

static inline uint64_t vector_two_pass_height(uint64_t n, struct launch launch)
{
    const uint64_t states = (uint64_t)LANES * launch.threads;
    const uint64_t blocks_with_elements = at_most(launch.blocks, ceil_div(n, states));
    return n == 0 ? 0
                  : grid_stride_height(n, launch.blocks, states, vector_state_levels) +
                        block_merge_height(blocks_with_elements, launch.threads, vector_thread_levels);
}

static inline size_t vector_two_pass_sums(uint64_t n, struct launch launch)
{
    (void)n;
    return launch.blocks;
}

#ifndef __CUDACC__
static STATE replay_vector_threads(STATE *of_thread, uint32_t threads)
{
    for (uint32_t warp = 0; warp < threads / WARP; warp++)
        of_thread[warp] = replay_warp_tree(of_thread + (size_t)warp * WARP, WARP);
    return replay_warp_tree(of_thread, threads / WARP);
}

static STATE replay_vector_states(STATE *states, uint32_t count)
{
    for (uint32_t t = 0; t < count / LANES; t++)
        states[t] = replay_warp_tree(states + (size_t)t * LANES, LANES);
    return replay_vector_threads(states, count / LANES);
}

static STATE vector_two_pass_replay(const struct replay_call *call)
{
    replay_block_sums(call, LANES * call->launch.threads, replay_vector_states);
    return replay_finish(call, call->launch.threads, replay_vector_threads);
}
#else
struct batch {
    struct vector vector[VECTORS_AHEAD];
};

static __device__ struct batch load_batch(const struct vector *first, uint64_t stride)
{
    struct batch batch;
#pragma unroll
    for (int k = 0; k < VECTORS_AHEAD; k++)
        batch.vector[k] = first[k * stride];
    return batch;
}

static __device__ void add_elements(STATE *states, const real *elements, int count)
{
#pragma unroll
    for (int l = 0; l < LANES; l++)
        if (l < count)
            states[l] = A(add)(states[l], TERM(elements, l));
}

static __device__ void add_batch(STATE *states, struct batch batch)
{
#pragma unroll
    for (int k = 0; k < VECTORS_AHEAD; k++)
        add_elements(states, batch.vector[k].element, LANES);
}

/* The tree over the states of a thread. */
static __device__ STATE vector_states_sum(STATE *states)
{
#pragma unroll
    for (int stride = LANES / 2; stride > 0; stride /= 2)
#pragma unroll
        for (int l = 0; l < stride; l++)
            states[l] = A(merge)(states[l], states[l + stride]);
    return states[0];
}

/* Adds the thread's vectors: its first, and every stride-th after it.  A batch is loaded while the one before it is
 * added; without this, sums that take more than 32 registers reach 0.97 of the memory's speed instead of 1.00. */
static __device__ STATE vector_stride_sum(const real *x, uint64_t n, uint64_t first, uint64_t stride)
{
    const struct vector *vectors = (const struct vector *)x;
    const uint64_t whole = n / LANES, batch_stride = VECTORS_AHEAD * stride, last = (VECTORS_AHEAD - 1) * stride;
    STATE states[LANES];
    uint64_t v = first;
#pragma unroll
    for (int l = 0; l < LANES; l++)
        states[l] = A(zero)();
    if (v + last < whole) {
        struct batch next = load_batch(vectors + v, stride);
        for (v += batch_stride; v + last < whole; v += batch_stride) {
            const struct batch batch = next;
            next = load_batch(vectors + v, stride);
            add_batch(states, batch);
        }
        add_batch(states, next);
    }
    for (; v < whole; v += stride)
        add_elements(states, vectors[v].element, LANES);
    if (v == whole)
        add_elements(states, x + whole * LANES, (int)(n % LANES));
    return vector_states_sum(states);
}

/* Returns the block's sum in thread 0. */
static __device__ STATE vector_block_sum(STATE *warp_sums, STATE mine)
{
    const uint32_t warps = blockDim.x / WARP;
    mine = warp_tree_sum(mine, WARP);
    if (threadIdx.x % WARP == 0)
        warp_sums[threadIdx.x / WARP] = mine;
    __syncthreads();
    if (threadIdx.x >= WARP)
        return mine;
    return warp_tree_sum(threadIdx.x < warps ? warp_sums[threadIdx.x] : A(zero)(), warps);
}

KERNEL(vector_two_pass_blocks)(const real *x, uint64_t n, STATE *sums)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const uint64_t first = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const STATE mine = vector_stride_sum(x, n, first, (uint64_t)gridDim.x * blockDim.x);
    const STATE sum = vector_block_sum(warp_sums, mine);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

KERNEL(vector_two_pass_finish)(const STATE *sums, uint32_t count, real *result)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const STATE sum = vector_block_sum(warp_sums, block_stride_merge(sums, count));
    if (threadIdx.x == 0)
        *result = A(round)(sum);
}

static cudaError_t vector_two_pass_launch(const struct device_call *call)
{
    const struct launch grid = call->launch;
    EXPORTED(vector_two_pass_blocks)<<<grid.blocks, grid.threads, 0, call->stream>>>(call->x, call->n, call->sums);
    EXPORTED(vector_two_pass_finish)<<<1, grid.threads, 0, call->stream>>>(call->sums, grid.blocks, call->results);
    return cudaGetLastError();
}
#endif
