/* What a thread of the fast order adds to: a state in registers for each element of a vector, so that the additions of
 * a thread do not all wait for each other.
 */
#ifndef ULPSCOPE_VECTOR_STATES_H
#define ULPSCOPE_VECTOR_STATES_H

#include "vector_source.h"
#include "warp_tree.h"

#ifdef __CUDACC__
template <typename Element> struct partial {
    STATE state[lanes_of<Element>];
};

template <typename Element> static __device__ void partial_add(struct partial<Element> *partial, int lane, Element x)
{
    partial->state[lane] = A(add)(partial->state[lane], as_real(x));
}

template <typename Stored, enum operation OPERATION>
static __device__ void partial_add(struct partial<struct pair<Stored, OPERATION>> *partial, int lane,
                                   struct pair<Stored, OPERATION> of)
{
    partial->state[lane] = add_term(partial->state[lane], OPERATION, as_real(of.x), as_real(of.y));
}

/* In a batch, of which one is in flight while the last is added.  Four are needed to keep the memory busy, but where
 * states are large four times their additions do not fit the registers: binned then runs at 0.41 of CUB's speed instead
 * of 0.96. */
template <typename Element>
static constexpr int vectors_ahead = sizeof(struct partial<Element>) <= 64   ? 4
                                     : sizeof(struct partial<Element>) < 192 ? 2
                                                                             : 1;
template <typename Stored, enum operation OPERATION>
static constexpr int vectors_ahead<struct pair<Stored, OPERATION>> = (vectors_ahead<Stored> + 1) / 2;

#include "vector_loop.h"

template <typename Element> static constexpr int vector_threads_most = MAX_THREADS;

/* The sum of vectors v, v + stride, ...: a tree over the states of the thread. */
template <typename Element>
static __device__ STATE vector_thread_sum(struct source<Element> x, uint64_t n, uint64_t v, uint64_t stride)
{
    struct partial<Element> partial;
#pragma unroll
    for (int l = 0; l < lanes_of<Element>; l++)
        partial.state[l] = A(zero)();
    add_vectors(&partial, x, n, v, stride);
#pragma unroll
    for (int half = lanes_of<Element> / 2; half > 0; half /= 2)
#pragma unroll
        for (int l = 0; l < half; l++)
            partial.state[l] = A(merge)(partial.state[l], partial.state[l + half]);
    return partial.state[0];
}

template <typename Element> static struct vector_launch vector_launch_of(struct thread_grid grid)
{
    const struct vector_launch launch = {grid.blocks, grid.threads, 0};
    return launch;
}

static struct vector_launch vector_launch_at_once(struct vector_launch launch, const void *)
{
    return launch;
}

/* Returns the block's sum in thread 0. */
template <typename Element> static __device__ STATE vector_block_sum(struct source<Element> x, uint64_t n, uint32_t)
{
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    return warp_tree_block_sum(vector_thread_sum(x, n, thread, (uint64_t)gridDim.x * blockDim.x));
}

/* One block merges the sums of all; in thread 0. */
static __device__ STATE vector_merge(const STATE *sums, uint32_t count)
{
    return warp_tree_block_sum(block_stride_merge(sums, count));
}

/* ---- one kernel for few numbers: the threads of all blocks that have any are those of one block, or of its turns ----
 */

enum { BLOCKS_OF_FEW = FEW / (2 * WARP) };

template <typename Element> static __host__ __device__ uint32_t blocks_of_few(uint64_t n, struct thread_grid grid)
{
    return (uint32_t)at_most(grid.blocks, ceil_div(n, lanes_of<Element> * grid.threads));
}

template <typename Element> static struct vector_launch vector_launch_of_few(uint64_t n, struct thread_grid grid)
{
    const uint64_t groups = at_most(blocks_of_few<Element>(n, grid), MAX_THREADS / grid.threads);
    const struct vector_launch launch = {1, (uint32_t)(groups > 0 ? groups : 1) * grid.threads, 0};
    return launch;
}

/* The sum of the whole grid, in thread 0: group g of threads does the work of blocks g, g + groups, ... */
template <typename Element>
static __device__ STATE vector_sum_of_few(struct source<Element> x, uint64_t n, struct thread_grid grid, uint32_t)
{
    __shared__ STATE sums[BLOCKS_OF_FEW];
    const uint32_t busy = blocks_of_few<Element>(n, grid), groups = blockDim.x / grid.threads;
    const uint32_t group = threadIdx.x / grid.threads, thread = threadIdx.x % grid.threads;
    for (uint32_t first = 0; first < busy; first += groups) {
        const uint64_t block = first + group, stride = (uint64_t)grid.blocks * grid.threads;
        const STATE mine = vector_thread_sum(x, n, block * grid.threads + thread, stride);
        const STATE sum = warp_tree_group_sum(mine, grid.threads);
        if (thread == 0 && block < busy)
            sums[block] = sum;
        __syncthreads();
    }
    STATE mine = A(zero)();
    for (uint32_t i = thread; i < grid.blocks; i += grid.threads)
        mine = A(merge)(mine, i < busy ? sums[i] : A(zero)());
    return warp_tree_group_sum(mine, grid.threads);
}
#endif

#endif
