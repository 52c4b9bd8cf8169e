/* The loop of most orders: each thread of the grid adds every G-th element to a partial sum of its own (G = blocks x
 * threads), left to right, and each block then merges its partial sums to one.
 *
 *   2 blocks of 2 threads, 8 elements:  x0+x4, x1+x5 | x2+x6, x3+x7
 *
 * The second pass is the same over the block sums, by one block, with merges for additions.
 */
#pragma once

#include "order.h"

#ifndef __CUDACC__
#include "src/base/workers.h"

/* Merges the partial sums of each of some blocks, which lie one after another, in place.  The sum of block b becomes
 * state b. */
typedef void merge_blocks_function(const struct verbs *verbs, void *partial, uint32_t states, uint64_t blocks);

/* Blocks of `states` partial sums each.  Several blocks are replayed at once, which reads memory in longer pieces. */
struct replay_grid {
    const struct replay_call *call;
    uint32_t states;
    merge_blocks_function *merge_blocks;
};

/* Partial sums first .. first+count of the grid; each adds its own elements, in their order. */
static inline void replay_partial_sums(const struct replay_call *call, uint64_t stride, uint64_t first, uint64_t count,
                                       void *partial)
{
    const uint64_t n = call->n, rows = first + count <= n ? (n - first - count) / stride + 1 : 0;
    const uint64_t rest = first + rows * stride; /* where a row begins that is not whole, or n and beyond */
    call->verbs->zero(partial, count);
    if (rows > 0)
        call->verbs->add_rows(partial, term_at(call, first), count, rows, stride);
    if (rest < n)
        call->verbs->add_rows(partial, term_at(call, rest), at_most(count, n - rest), 1, stride);
}

/* Of all blocks at once, or where that is recorded, one by one. */
static inline void replay_merge_blocks(const struct replay_grid *grid, void *partial, void *sums, uint64_t blocks)
{
    const struct verbs *verbs = grid->call->verbs;
    const uint64_t at_once = verbs->is_recorded ? 1 : blocks;
    for (uint64_t b = 0; b < blocks; b += at_once) {
        void *of_blocks = state_at(verbs, partial, b * grid->states);
        grid->merge_blocks(verbs, of_blocks, grid->states, at_once);
        memcpy(state_at(verbs, sums, b), of_blocks, at_once * verbs->state_bytes);
    }
}

/* Worker w takes every so many-th group of blocks. */
static inline void replay_some_blocks(void *context, unsigned worker)
{
    const struct replay_grid *grid = (const struct replay_grid *)context;
    const struct replay_call *call = grid->call;
    const struct verbs *verbs = call->verbs;
    const size_t room = replay_states(call->grid);
    const uint64_t group = room / grid->states;
    void *partial = state_at(verbs, call->partial, worker * room);
    for (uint64_t b = worker * group; b < call->grid.blocks; b += call->workers * group) {
        const uint64_t blocks = at_most(group, call->grid.blocks - b);
        const uint64_t busy = at_most(blocks, ceil_div(call->n - at_most(call->n, b * grid->states), grid->states));
        if (busy > 0) {
            replay_partial_sums(call, (uint64_t)call->grid.blocks * grid->states, b * grid->states, busy * grid->states,
                                partial);
            replay_merge_blocks(grid, partial, state_at(verbs, call->sums, b), busy);
        }
        /* Without elements: zeros, merged to a zero. */
        verbs->zero(state_at(verbs, call->sums, b + busy), blocks - busy);
    }
}

/* Fills call->sums with the sums of the blocks, each of so many partial sums. */
static inline void replay_block_sums(const struct replay_call *call, uint32_t states,
                                     merge_blocks_function *merge_blocks)
{
    struct replay_grid grid = {call, states, merge_blocks};
    workers_run(call->workers, replay_some_blocks, &grid);
}

/* The finishing block: thread t merges sums t, t+T, t+2T, ..., and the block its threads. */
static inline const void *replay_finish(const struct replay_call *call, uint32_t threads,
                                        merge_blocks_function *merge_blocks)
{
    const struct verbs *verbs = call->verbs;
    const uint32_t at_once = verbs->is_recorded ? 1 : threads;
    verbs->zero(call->partial, threads);
    for (uint32_t t = 0; t < threads; t += at_once)
        for (uint32_t i = t; i < call->grid.blocks; i += threads)
            verbs->merge(state_at(verbs, call->partial, t), state_at(verbs, call->sums, i),
                         merges_of(at_most(at_once, call->grid.blocks - i)));
    merge_blocks(verbs, call->partial, threads, 1);
    return call->partial;
}

/* Instead of a finishing block: one thread merges the sums left to right. */
static inline const void *replay_left_to_right(const struct replay_call *call, uint64_t count)
{
    const struct verbs *verbs = call->verbs;
    if (count == 0)
        verbs->zero(call->partial, 1);
    else
        verbs->merge_run(call->sums, state_at(verbs, call->sums, 1), count - 1);
    return count == 0 ? call->partial : call->sums;
}
#else
/* Adds the terms of elements first, first+stride, ... below n, left to right.  A function that is called, so that it is
 * compiled once, and sums take no registers for it. */
static __device__ __noinline__ STATE terms_sum(struct elements of, uint64_t first, uint64_t n, uint64_t stride)
{
    enum { PAIRS_AHEAD = LOADS_AHEAD / 2 };
    STATE s = A(zero)();
    uint64_t i = first;
    for (; i + (PAIRS_AHEAD - 1) * stride < n; i += PAIRS_AHEAD * stride) {
        real x[PAIRS_AHEAD], y[PAIRS_AHEAD];
        load_strided(x, of.x, i, stride);
        load_strided(y, of.y, i, stride);
        s = add_terms(s, operation_of(of), x, y);
    }
    for (; i < n; i += stride)
        s = add_term(s, operation_of(of), load(of.x, i), load(of.y, i));
    return s;
}

/* Adds elements first, first+stride, ... below n, left to right. */
static __device__ __noinline__ STATE strided_sum(struct elements of, uint64_t first, uint64_t n, uint64_t stride)
{
    if (operation_of(of) != OPERATION_sum)
        return terms_sum(of, first, n, stride);
    const struct numbers x = of.x;
    STATE s = A(zero)();
    uint64_t i = first;
    for (; i + (LOADS_AHEAD - 1) * stride < n; i += LOADS_AHEAD * stride) {
        real loaded[LOADS_AHEAD];
        load_strided(loaded, x, i, stride);
#pragma unroll
        for (int k = 0; k < LOADS_AHEAD; k++)
            s = A(add)(s, loaded[k]);
    }
    for (; i < n; i += stride)
        s = A(add)(s, load(x, i));
    return s;
}

/* Adds elements first .. end-1, left to right. */
static __device__ __noinline__ STATE neighbours_sum(struct elements of, uint64_t first, uint64_t end)
{
    if (operation_of(of) != OPERATION_sum)
        return terms_sum(of, first, end, 1);
    const struct numbers x = of.x;
    STATE s = A(zero)();
    uint64_t i = first;
    for (; i < end && i % LOADS_AHEAD != 0; i++)
        s = A(add)(s, load(x, i));
    for (; i + LOADS_AHEAD <= end; i += LOADS_AHEAD) {
        real loaded[LOADS_AHEAD];
        load_neighbours(loaded, x, i);
#pragma unroll
        for (int k = 0; k < LOADS_AHEAD; k++)
            s = A(add)(s, loaded[k]);
    }
    for (; i < end; i++)
        s = A(add)(s, load(x, i));
    return s;
}

static __device__ STATE grid_stride_sum(struct elements x, uint64_t n)
{
    const uint64_t first = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    return strided_sum(x, first, n, (uint64_t)gridDim.x * blockDim.x);
}

/* Thread t of the one block merges sums t, t+T, t+2T, ... */
static __device__ STATE block_stride_merge(const STATE *sums, uint32_t count)
{
    STATE s = A(zero)();
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        s = A(merge)(s, sums[i]);
    return s;
}

/* One thread, of the GPU or the CPU, merges the sums left to right. */
static __host__ __device__ STATE left_to_right(const STATE *sums, uint64_t count)
{
    STATE s = count > 0 ? sums[0] : A(zero)();
    for (uint64_t i = 1; i < count; i++)
        s = A(merge)(s, sums[i]);
    return s;
}
#endif
