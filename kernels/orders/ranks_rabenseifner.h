/* ranks_rabenseifner: a reduce-scatter in which partners at distance 1, 2, 4, ... exchange halves of what they have,
 * then an all-gather: MPICH's and Open MPI's for long messages (Thakur, Rabenseifner and Gropp, IJHPCA 19 (2005) 49).
 * Each element is added as in ranks_recursive_doubling, by one rank instead of all: the same bits, half the traffic.
 *
 *   6 ranks    ((r0 + r1) + (r2 + r3)) + (r4 + r5)    3 merges
 */
#include "kernels/ranks.h"

#define ranks_rabenseifner_can_do ranks_can_do
#define ranks_rabenseifner_sums ranks_count

#ifndef __CUDACC__
static inline uint64_t ranks_rabenseifner_height(uint64_t n, struct thread_grid grid)
{
    const uint64_t ranks = ranks_count(n, grid);
    return ranks_height(n, ranks, ceil_log2(ranks));
}

static const void *ranks_rabenseifner_replay(const struct replay_call *call)
{
    return replay_recursive_doubling(call);
}

static const struct order_traits ranks_rabenseifner_traits = {RANKS_TRAITS};
#endif
