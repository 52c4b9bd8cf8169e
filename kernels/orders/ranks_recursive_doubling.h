/* ranks_recursive_doubling: partners at distance 1, 2, 4, ... exchange all that they have: the all-reduce of MPICH and
 * Open MPI for short messages.  If P is no power of two, P - 2^k pairs add first, and one rank of each goes on.
 *
 *   4 ranks    (r0 + r1) + (r2 + r3)                          2 merges
 *   6 ranks    ((r0 + r1) + (r2 + r3)) + (r4 + r5)            3 merges
 *   7 ranks    ((r0 + r1) + (r2 + r3)) + ((r4 + r5) + r6)     3 merges
 */
#include "kernels/ranks.h"

#define ranks_recursive_doubling_can_do ranks_can_do
#define ranks_recursive_doubling_sums ranks_count

#ifndef __CUDACC__
static inline uint64_t ranks_recursive_doubling_height(uint64_t n, struct thread_grid grid)
{
    const uint64_t ranks = ranks_count(n, grid);
    return ranks_height(n, ranks, ceil_log2(ranks));
}

static const void *ranks_recursive_doubling_replay(const struct replay_call *call)
{
    return replay_recursive_doubling(call);
}

static const struct order_traits ranks_recursive_doubling_traits = {RANKS_TRAITS};
#endif
