/* ranks_nccl_tree: NCCL's tree, the first of its two, with a GPU in each node: a binary tree of which every second rank
 * is a leaf, each rank adding what its lower child sends to its own, and then what the higher one sends.  Its second
 * tree is this one of the ranks in reverse, or one further where P is odd.
 *
 *   7 ranks, children    0: 4    4: 2, 6    2: 1, 3    6: 5
 *   r0 + ((r4 + ((r2 + r1) + r3)) + (r6 + r5))    5 merges
 */
#include "kernels/ranks.h"

#define ranks_nccl_tree_can_do ranks_can_do
#define ranks_nccl_tree_sums ranks_count

#ifndef __CUDACC__
/* Rank 1 is deepest: two merges at each of the ranks 2, 4, ... above it but the last, which may have one child, and one
 * at rank 0; which may have one element more than rank 1 has. */
static inline uint64_t ranks_nccl_tree_height(uint64_t n, struct thread_grid grid)
{
    const uint64_t ranks = ranks_count(n, grid), levels = ceil_log2(ranks),
                   top = UINT64_C(1) << (levels - (levels > 0));
    const uint64_t above = levels < 2 ? levels : 2 * (levels - 1) + (top + 1 < ranks);
    const bool rank_0_has_more = ranks > 1 && n % ranks == 1 && above > 1;
    return ranks_height(n, ranks, above - rank_0_has_more);
}

/* The children of a rank whose lowest bit is `bit` are below and above it by half of that, or by less where there is no
 * such rank. */
static const void *ranks_nccl_tree_replay(const struct replay_call *call)
{
    const uint64_t ranks = replay_ranks(call);
    uint64_t top = 1;
    for (uint64_t bit = 2; bit < ranks; bit *= 2) {
        for (uint64_t rank = bit; rank < ranks; rank += 2 * bit) {
            uint64_t further = bit / 2;
            ranks_send(call, rank - further, rank);
            while (further > 0 && rank + further >= ranks)
                further /= 2;
            if (further > 0)
                ranks_send(call, rank + further, rank);
        }
        top = bit;
    }
    if (ranks > 1)
        ranks_send(call, top, 0);
    return replay_first_rank(call, ranks);
}

static const struct order_traits ranks_nccl_tree_traits = {RANKS_TRAITS};
#endif
