/* ranks_ring: around the ranks once, each adding its own to what it received: the ring all-reduce of Open MPI and NCCL,
 * of the chunk that sets out from rank 0.  The chunk that sets out from rank k has this order of the ranks k, k+1, ...
 *
 *   4 ranks    ((r0 + r1) + r2) + r3    3 merges
 */
#include "kernels/ranks.h"

#define ranks_ring_can_do ranks_can_do
#define ranks_ring_sums ranks_count

#ifndef __CUDACC__
static inline uint64_t ranks_ring_height(uint64_t n, struct thread_grid grid)
{
    const uint64_t ranks = ranks_count(n, grid);
    return ranks_height(n, ranks, ranks - 1);
}

static const void *ranks_ring_replay(const struct replay_call *call)
{
    return replay_left_to_right(call, replay_ranks(call));
}

static const struct order_traits ranks_ring_traits = {RANKS_TRAITS};
#endif
