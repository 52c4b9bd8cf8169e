/* ranks_binomial: the binomial tree of a reduce to rank 0, in MPICH and Open MPI: rank 0 receives from ranks 1, 2, 4,
 * ..., each of which has received from those above it.
 *
 *   4 ranks    (r0 + r1) + (r2 + r3)                  2 merges
 *   5 ranks    ((r0 + r1) + (r2 + r3)) + r4           3 merges, where ranks_recursive_doubling adds r0 + r1 first
 */
#include "kernels/ranks.h"

#define ranks_binomial_can_do ranks_can_do
#define ranks_binomial_sums ranks_count

#ifndef __CUDACC__
static inline uint64_t ranks_binomial_height(uint64_t n, struct thread_grid grid)
{
    const uint64_t ranks = ranks_count(n, grid);
    return ranks_height(n, ranks, ceil_log2(ranks));
}

static const void *ranks_binomial_replay(const struct replay_call *call)
{
    const uint64_t ranks = replay_ranks(call);
    ranks_double_distance(call, ranks);
    return replay_first_rank(call, ranks);
}

static const struct order_traits ranks_binomial_traits = {RANKS_TRAITS};
#endif
