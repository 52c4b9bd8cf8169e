/* What the orders of a distributed sum share: each of P ranks adds its share of the numbers, and the states of the
 * ranks are merged as a library's reduce or all-reduce adds an element of a tensor (docs/collectives.md,
 * docs/decisions/0028-collectives.md).  There is no kernel: these orders are models of many processes.
 *
 *   P      the blocks of the launch, and n at most; the threads do not matter
 *   share  neighbours, left to right: n / P, one more for the first n mod P ranks
 *
 *   3 ranks, 5 elements    x0 + x1 | x2 + x3 | x4
 *
 * With n = P each rank has one number, and what is left is the collective itself.  A merge is a message: what travels
 * are states, in the format that is added in, so that plain/ranks_ring@bfloat16_in_bfloat16 rounds to bfloat16 at every
 * hop, as MPI_SUM and ncclSum do, and kahan/ranks_ring is an operation of a user's own, on pairs.
 */
#ifndef ULPSCOPE_RANKS_H
#define ULPSCOPE_RANKS_H

#include "grid_stride.h"

#ifndef __CUDACC__
#define RANKS_TRAITS .has_no_kernel = true

static inline bool ranks_can_do(struct thread_grid grid, char why[REASON_SIZE])
{
    (void)grid, (void)why;
    return true;
}

static inline uint64_t ranks_count(uint64_t n, struct thread_grid grid)
{
    return at_most(grid.blocks, n);
}

/* The first element of a rank; of rank P, n. */
static inline uint64_t ranks_first(uint64_t n, uint64_t ranks, uint64_t rank)
{
    return rank * (n / ranks) + at_most(rank, n % ranks);
}

/* The height where so many merges are below rank 0, which no other rank exceeds, and it has the most elements. */
static inline uint64_t ranks_height(uint64_t n, uint64_t ranks, uint64_t merges)
{
    return n == 0 ? 0 : ceil_div(n, ranks) + merges;
}

/* Worker w takes every so many-th rank. */
static void replay_some_ranks(void *context, unsigned worker)
{
    const struct replay_call *call = (const struct replay_call *)context;
    const uint64_t ranks = ranks_count(call->n, call->grid);
    for (uint64_t rank = worker; rank < ranks; rank += call->workers) {
        const uint64_t end = ranks_first(call->n, ranks, rank + 1);
        STATE s = A(zero)();
        for (uint64_t i = ranks_first(call->n, ranks, rank); i < end; i++)
            s = ADD_TERM(s, call->x[i]);
        call->sums[rank] = s;
    }
}

/* Fills call->sums with the sum of each rank's share, and returns how many there are. */
static uint64_t replay_ranks(const struct replay_call *call)
{
    workers_run(call->workers, replay_some_ranks, (void *)call);
    return ranks_count(call->n, call->grid);
}

/* Rank `from` sends what it has to rank `to`. */
static inline void ranks_send(STATE *sums, uint64_t from, uint64_t to)
{
    sums[to] = A(merge)(sums[to], sums[from]);
}

/* At distance 1, 2, 4, ...: the higher of two sends to the lower, and is done.  The sum is rank 0's. */
static void ranks_double_distance(STATE *sums, uint64_t ranks)
{
    for (uint64_t distance = 1; distance < ranks; distance *= 2)
        for (uint64_t to = 0; to + distance < ranks; to += 2 * distance)
            ranks_send(sums, to + distance, to);
}

/* The largest power of two up to P, above 0. */
static inline uint64_t ranks_power_of_two(uint64_t ranks)
{
    uint64_t power = 1;
    while (power <= ranks / 2)
        power *= 2;
    return power;
}

/* Of P - 2^k pairs at the beginning one rank sends to the other, so that 2^k are left, which are numbered anew. */
static uint64_t ranks_fold(STATE *sums, uint64_t ranks)
{
    const uint64_t left = ranks_power_of_two(ranks), pairs = ranks - left;
    for (uint64_t rank = 0; rank < left; rank++)
        sums[rank] = rank < pairs ? A(merge)(sums[2 * rank], sums[2 * rank + 1]) : sums[rank + pairs];
    return left;
}

static STATE replay_recursive_doubling(const struct replay_call *call)
{
    const uint64_t ranks = replay_ranks(call);
    if (ranks == 0)
        return A(zero)();
    ranks_double_distance(call->sums, ranks_fold(call->sums, ranks));
    return call->sums[0];
}
#endif

#endif
