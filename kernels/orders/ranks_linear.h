/* ranks_linear: rank 0 adds from the last rank down, or a sum is passed on from the last rank to the first: Open MPI's
 * linear and pipeline, MPICH's tsp_ring of a reduce, NCCL's tree within a machine.
 *
 *   4 ranks    r0 + (r1 + (r2 + r3))    3 merges
 */
#include "kernels/ranks.h"

#define ranks_linear_can_do ranks_can_do
#define ranks_linear_sums ranks_count

#ifndef __CUDACC__
/* The last rank but one is as deep as the last, and has an element more than most if all but the last have. */
static inline uint64_t ranks_linear_height(uint64_t n, struct thread_grid grid)
{
    const uint64_t ranks = ranks_count(n, grid);
    return ranks < 2 ? n : n / ranks + (n % ranks == ranks - 1) + ranks - 1;
}

static const void *ranks_linear_replay(const struct replay_call *call)
{
    const uint64_t ranks = replay_ranks(call);
    for (uint64_t rank = ranks; rank > 1; rank--)
        ranks_send(call, rank - 1, rank - 2);
    return replay_first_rank(call, ranks);
}

static const struct order_traits ranks_linear_traits = {RANKS_TRAITS};
#endif
