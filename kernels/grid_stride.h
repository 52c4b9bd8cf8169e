/* The loop of most orders: each thread of the grid adds every G-th element to a partial sum of its own (G = blocks x
 * threads), left to right, and each block then merges its partial sums to one.
 *
 *   2 blocks of 2 threads, 8 elements:  x0+x4, x1+x5 | x2+x6, x3+x7
 *
 * The second pass is the same over the block sums, by one block, with merges for additions.
 */
#ifndef ULPSCOPE_GRID_STRIDE_H
#define ULPSCOPE_GRID_STRIDE_H

#include "order.h"

#ifndef __CUDACC__
#include "src/base/workers.h"

/* Merges the partial sums of one block, in place, and returns their sum. */
typedef STATE block_sum_function(STATE *partial, uint32_t states);

/* Blocks of `states` partial sums each.  Several blocks are replayed at once, which reads memory in longer pieces. */
struct replay_grid {
    const struct replay_call *call;
    uint32_t states;
    block_sum_function *block_sum;
};

/* Rows of the grid that are added to a partial sum before the next one's turn.  One, where the additions of
 * neighbouring partial sums go side by side in vector registers; additions that branch do not, and with four rows load
 * and store their state four times less often. */
#ifdef ADD_BRANCHES
enum { ROWS_AT_ONCE = 4 };
#else
enum { ROWS_AT_ONCE = 1 };
#endif

/* Partial sums first .. first+count of the grid, a few rows at a time, so that memory is read in order; each partial
 * sum still adds its own elements in theirs. */
static inline void replay_partial_sums(const term *x, uint64_t n, uint64_t stride, uint64_t first, uint64_t count,
                                       STATE *partial)
{
    for (uint64_t s = 0; s < count; s++)
        partial[s] = A(zero)();
    for (uint64_t row = first; row < n; row += ROWS_AT_ONCE * stride) {
        const uint64_t width = at_most(count, n - row), end = at_most(n, row + ROWS_AT_ONCE * stride);
        for (uint64_t s = 0; s < width; s++)
            if (ROWS_AT_ONCE == 1)
                partial[s] = ADD_TERM(partial[s], x[row + s]);
            else {
                STATE sum = partial[s];
                for (uint64_t i = row + s; i < end; i += stride)
                    sum = ADD_TERM(sum, x[i]);
                partial[s] = sum;
            }
    }
}

/* Worker w takes every so many-th group of blocks. */
static inline void replay_some_blocks(void *context, unsigned worker)
{
    const struct replay_grid *grid = (const struct replay_grid *)context;
    const struct replay_call *call = grid->call;
    const size_t room = replay_states(call->grid);
    const uint64_t group = room / grid->states;
    STATE *partial = call->partial + worker * room;
    for (uint64_t b = worker * group; b < call->grid.blocks; b += call->workers * group) {
        const uint64_t blocks = at_most(group, call->grid.blocks - b);
        const uint64_t busy = at_most(blocks, ceil_div(call->n - at_most(call->n, b * grid->states), grid->states));
        replay_partial_sums(call->x, call->n, (uint64_t)call->grid.blocks * grid->states, b * grid->states,
                            busy * grid->states, partial);
        for (uint64_t k = 0; k < blocks; k++) /* a block without elements merges zeros to a zero */
            call->sums[b + k] = k < busy ? grid->block_sum(partial + k * grid->states, grid->states) : A(zero)();
    }
}

/* Fills call->sums with the sums of the blocks, each of so many partial sums. */
static inline void replay_block_sums(const struct replay_call *call, uint32_t states, block_sum_function *block_sum)
{
    struct replay_grid grid = {call, states, block_sum};
    workers_run(call->workers, replay_some_blocks, &grid);
}

/* The finishing block: thread t merges sums t, t+T, t+2T, ..., and the block its threads. */
static inline STATE replay_finish(const struct replay_call *call, uint32_t threads, block_sum_function *block_sum)
{
    for (uint32_t t = 0; t < threads; t++) {
        call->partial[t] = A(zero)();
        for (uint32_t i = t; i < call->grid.blocks; i += threads)
            call->partial[t] = A(merge)(call->partial[t], call->sums[i]);
    }
    return block_sum(call->partial, threads);
}

/* Instead of a finishing block: one thread merges the sums left to right. */
static inline STATE replay_left_to_right(const STATE *sums, uint64_t count)
{
    STATE total = count > 0 ? sums[0] : A(zero)();
    for (uint64_t i = 1; i < count; i++)
        total = A(merge)(total, sums[i]);
    return total;
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

#endif
