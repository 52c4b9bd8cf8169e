/* Sums within a warp: the states travel through registers (__shfl_down_sync), and lane l merges l and l + offset, for
 * offset 16, 8, 4, 2, 1.  What several orders use, each with its own way to merge the sums of the warps.
 *
 *   4 lanes (a warp has 32)    (l0 + l2) + (l1 + l3)    2 levels
 */
#pragma once

#include "grid_stride.h"

static inline bool warp_tree_can_do(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    (void)verbs;
    return threads_are_whole_warps(grid, why) && threads_fit(grid, why);
}

/* Merges on the longest path of a block whose first m threads hold a sum, when the warp sums are merged left to right:
 * lane 0 of warp 0. */
static inline uint64_t warp_tree_serial_levels(uint64_t m)
{
    return m == 0 ? 0 : ceil_log2(at_most(WARP, m)) + (ceil_div(m, WARP) - 1);
}

#ifndef __CUDACC__
/* Trees over `width` neighbours each, one after another in the one array; their sums become neighbours.  Of few
 * neighbours the trees go side by side. */
static inline void replay_warp_trees(const struct verbs *verbs, void *lanes, uint32_t width, uint64_t trees)
{
    const uint64_t at_once = verbs->is_recorded ? 1 : trees;
    for (uint64_t first = 0; first < trees; first += at_once)
        for (uint32_t offset = width / 2; offset > 0; offset /= 2) {
            void *of_trees = state_at(verbs, lanes, first * width);
            const struct merges side_by_side = {at_once, width, offset, 1}, in_turn = {offset, 1, at_once, width};
            verbs->merge(of_trees, state_at(verbs, of_trees, offset),
                         offset < 4 && !verbs->is_recorded ? side_by_side : in_turn);
        }
    verbs->gather(lanes, width, trees);
}

/* The warps of each block as trees, their sums left to right. */
static inline void replay_warp_tree_serial(const struct verbs *verbs, void *lanes, uint32_t threads, uint64_t blocks)
{
    const uint32_t warps = threads / WARP;
    for (uint32_t warp = 0; warp < warps && verbs->is_recorded; warp++) {
        replay_warp_trees(verbs, state_at(verbs, lanes, warp * WARP), WARP, 1);
        verbs->merge_run(lanes, state_at(verbs, lanes, warp * WARP), warp > 0);
    }
    if (verbs->is_recorded)
        return;
    replay_warp_trees(verbs, lanes, WARP, blocks * warps);
    for (uint32_t warp = 1; warp < warps; warp++)
        verbs->merge(lanes, state_at(verbs, lanes, warp), (struct merges){blocks, warps, 1, 0});
    verbs->gather(lanes, warps, blocks);
}
#else
/* States are whole 32-bit words, and are shuffled word by word. */
template <typename Shuffle> static __device__ STATE shuffle_words(STATE s, Shuffle shuffle)
{
    enum { WORDS = sizeof(STATE) / sizeof(uint32_t) };
    static_assert(sizeof(STATE) % sizeof(uint32_t) == 0, "a state is shuffled word by word");
    uint32_t words[WORDS];
    memcpy(words, &s, sizeof s);
    for (int w = 0; w < WORDS; w++)
        words[w] = shuffle(words[w]);
    memcpy(&s, words, sizeof s);
    return s;
}

/* The state of the lane `offset` above. */
static __device__ STATE shuffle_down(STATE s, uint32_t offset)
{
    return shuffle_words(s, [offset](uint32_t word) { return __shfl_down_sync(0xffffffffu, word, offset); });
}

/* The state of a lane, whose number is taken modulo 32. */
static __device__ STATE shuffle_from(STATE s, uint32_t lane)
{
    return shuffle_words(s, [lane](uint32_t word) { return __shfl_sync(0xffffffffu, word, (int)lane); });
}

/* Returns the sum of the first `width` lanes, a power of two, in lane 0. */
static __device__ STATE warp_tree_sum(STATE mine, uint32_t width)
{
    for (uint32_t offset = width / 2; offset > 0; offset /= 2)
        mine = A(merge)(mine, shuffle_down(mine, offset));
    return mine;
}

/* Returns the block's sum in thread 0, which merges the warp sums left to right. */
static __device__ STATE warp_tree_serial_sum(STATE *warp_sums, STATE mine)
{
    mine = warp_tree_sum(mine, WARP);
    if (threadIdx.x % WARP == 0)
        warp_sums[threadIdx.x / WARP] = mine;
    __syncthreads();
    if (threadIdx.x == 0)
        for (uint32_t warp = 1; warp < blockDim.x / WARP; warp++)
            mine = A(merge)(mine, warp_sums[warp]);
    return mine;
}

/* Returns the sum of each `threads` threads, a power of two, in the first of them: a tree over the lanes of each warp,
 * and one over the warps.  Before it is called again the block must wait (__syncthreads). */
static __device__ STATE warp_tree_group_sum(STATE mine, uint32_t threads)
{
    __shared__ STATE warp_sums[MAX_THREADS / WARP];
    const uint32_t warps = threads / WARP, place = threadIdx.x % threads, first_warp = (threadIdx.x - place) / WARP;
    mine = warp_tree_sum(mine, WARP);
    if (place % WARP == 0)
        warp_sums[threadIdx.x / WARP] = mine;
    __syncthreads();
    if (place >= WARP)
        return mine;
    return warp_tree_sum(place < warps ? warp_sums[first_warp + place] : A(zero)(), warps);
}

/* Of the whole block. */
static __device__ STATE warp_tree_block_sum(STATE mine)
{
    return warp_tree_group_sum(mine, blockDim.x);
}
#endif
