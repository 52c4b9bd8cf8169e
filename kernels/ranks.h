/* What the orders of a distributed sum share: each of P ranks adds its share of the numbers, and the states of the
 * ranks are merged as a library's reduce or all-reduce adds an element of a tensor (docs/distributed.md,
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
#pragma once

#include "grid_stride.h"

#ifndef __CUDACC__
#define RANKS_TRAITS .has_no_kernel = true

static inline bool ranks_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    (void)verbs, (void)grid, (void)why;
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

/* Worker w takes every so many-th rank; some at once. */
static void replay_some_ranks(void *context, unsigned worker)
{
    enum { RANKS_AT_ONCE = 8 };
    const struct replay_call *call = (const struct replay_call *)context;
    const struct verbs *verbs = call->verbs;
    const uint64_t ranks = ranks_count(call->n, call->grid);
    for (uint64_t rank = worker * RANKS_AT_ONCE; rank < ranks; rank += call->workers * RANKS_AT_ONCE) {
        const uint64_t count = at_most(RANKS_AT_ONCE, ranks - rank);
        struct piece shares[RANKS_AT_ONCE];
        for (uint64_t k = 0; k < count; k++) {
            shares[k].first = ranks_first(call->n, ranks, rank + k);
            shares[k].count = ranks_first(call->n, ranks, rank + k + 1) - shares[k].first;
        }
        verbs->zero(state_at(verbs, call->sums, rank), count);
        verbs->add_runs(state_at(verbs, call->sums, rank), call->x, shares, count);
    }
}

/* Fills call->sums with the sum of each rank's share, and returns how many there are. */
static uint64_t replay_ranks(const struct replay_call *call)
{
    workers_run(call->workers, replay_some_ranks, (void *)(uintptr_t)call);
    return ranks_count(call->n, call->grid);
}

/* What rank 0 has, or nothing where there is no rank. */
static const void *replay_first_rank(const struct replay_call *call, uint64_t ranks)
{
    if (ranks == 0)
        call->verbs->zero(call->partial, 1);
    return ranks > 0 ? call->sums : call->partial;
}

/* Rank `from` sends what it has to rank `to`. */
static inline void ranks_send(const struct replay_call *call, uint64_t from, uint64_t to)
{
    const struct verbs *verbs = call->verbs;
    verbs->merge_run(state_at(verbs, call->sums, to), state_at(verbs, call->sums, from), 1);
}

/* At distance 1, 2, 4, ...: the higher of two sends to the lower, and is done.  The sum is rank 0's. */
static void ranks_double_distance(const struct replay_call *call, uint64_t ranks)
{
    for (uint64_t distance = 1; distance < ranks; distance *= 2)
        for (uint64_t to = 0; to + distance < ranks; to += 2 * distance)
            ranks_send(call, to + distance, to);
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
static uint64_t ranks_fold(const struct replay_call *call, uint64_t ranks)
{
    const struct verbs *verbs = call->verbs;
    const uint64_t left = ranks_power_of_two(ranks), pairs = ranks - left;
    for (uint64_t rank = 0; rank < left; rank++) {
        const bool is_pair = rank < pairs;
        if (is_pair)
            ranks_send(call, 2 * rank + 1, 2 * rank);
        memmove(state_at(verbs, call->sums, rank), state_at(verbs, call->sums, is_pair ? 2 * rank : rank + pairs),
                verbs->state_bytes);
    }
    return left;
}

static const void *replay_recursive_doubling(const struct replay_call *call)
{
    const uint64_t ranks = replay_ranks(call);
    if (ranks > 0)
        ranks_double_distance(call, ranks_fold(call, ranks));
    return replay_first_rank(call, ranks);
}
#endif
