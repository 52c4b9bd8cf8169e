/* Pairwise summation with a base case: an include-template, once for each base.
 *
 *   #define HALVING pairwise           the order's id
 *   #define HALVING_BASE 128           elements that are added left to right
 *   #include "../recursive_halving.h"
 *
 *   sum(x, n)  =  x0 + ... + x(n-1) left to right, if n <= base;  else  sum(x, n/2) + sum(x + n/2, n - n/2)
 *
 *   base 1, 6 elements: ((x0 + (x1 + x2)) + (x3 + (x4 + x5)))    height 1 + 3
 *
 * On the GPU the recursion is a full binary tree of 2^D slots, D the depth at which every piece is a base case or two:
 * a thread finds the piece of its slot by walking down from the root, and ends the recursion itself.  Blocks merge
 * neighbouring slots, and further launches neighbouring blocks, until one state is left.
 */
#ifndef ULPSCOPE_RECURSIVE_HALVING_H
#define ULPSCOPE_RECURSIVE_HALVING_H

#include "shared_tree.h"

/* The levels of the recursion: at this depth no piece of n elements is larger than base. */
PORTABLE uint64_t halving_depth(uint64_t n, uint64_t base)
{
    return n <= base ? 0 : ceil_log2(ceil_div(n, base));
}

/* The depth of the slots, one less: no piece has ended further up. */
PORTABLE uint64_t halving_slot_depth(uint64_t n, uint64_t base)
{
    const uint64_t depth = halving_depth(n, base);
    return depth > 0 ? depth - 1 : 0;
}

/* The piece of a slot at this depth, by the bits of its number from the top. */
PORTABLE struct piece halving_piece(uint64_t n, uint64_t depth, uint64_t slot)
{
    struct piece piece = {0, n};
    for (uint64_t bit = depth; bit-- > 0;) {
        const int right = (slot >> bit) & 1;
        const uint64_t left_count = piece.count / 2;
        piece.first += right ? left_count : 0;
        piece.count = right ? piece.count - left_count : left_count;
    }
    return piece;
}

/* Pieces at the full depth have up to ceil(n / 2^D) elements; one level up, a piece of exactly `base` may have ended.
 */
static inline uint64_t halving_height(uint64_t n, uint64_t base)
{
    const uint64_t depth = halving_depth(n, base);
    const uint64_t at_the_end = ceil_div(n, UINT64_C(1) << depth) + depth;
    if (depth == 0 || n >> (depth - 1) != base)
        return at_the_end;
    const uint64_t one_level_up = base + depth - 1;
    return one_level_up > at_the_end ? one_level_up : at_the_end;
}

/* Tiles of `threads` slots: what one block merges at a time. */
static inline uint64_t halving_tiles(uint64_t n, uint64_t base, uint32_t threads)
{
    return ceil_div(UINT64_C(1) << halving_slot_depth(n, base), threads);
}

/* The tile sums, and the sums of those, and so on: a geometric series. */
static inline uint64_t halving_sums(uint64_t n, uint64_t base, uint32_t threads)
{
    uint64_t sums = 0;
    for (uint64_t tiles = halving_tiles(n, base, threads); tiles > 1; tiles = ceil_div(tiles, threads))
        sums += tiles;
    return sums + 1;
}

#ifndef __CUDACC__
/* Pieces that end together: what may stand side by side, and then is merged level by level. */
enum { PIECES_AT_ONCE = 64, SHARES_MOST = 2048 };

/* The pieces of all slots, each in two runs; of one that has ended further up the second is empty. */
static inline void halving_runs(struct piece of, uint64_t base, uint64_t slots, struct piece *runs)
{
    runs[0] = of;
    for (uint64_t count = 1; count <= slots; count *= 2)
        for (uint64_t k = count; k-- > 0;) {
            const struct piece piece = runs[k];
            const uint64_t left = count == slots && piece.count <= base ? piece.count : piece.count / 2;
            runs[2 * k] = (struct piece){piece.first, left};
            runs[2 * k + 1] = (struct piece){piece.first + left, piece.count - left};
        }
}

/* All of a piece at once, where it ends in PIECES_AT_ONCE pieces at most. */
static inline void halving_together(const struct replay_call *call, struct piece of, uint64_t base, void *room)
{
    const struct verbs *verbs = call->verbs;
    const uint64_t slots = UINT64_C(1) << halving_slot_depth(of.count, base), pieces = 2 * slots;
    struct piece runs[PIECES_AT_ONCE];
    verbs->zero(room, pieces);
    if (of.count == pieces) {
        verbs->add_rows(room, term_at(call, of.first), pieces, 1, 0);
    } else {
        halving_runs(of, base, slots, runs);
        verbs->add_runs(room, call->x, runs, pieces);
    }
    for (uint64_t slot = 0, count = of.count == pieces ? slots : 0; slot < slots; slot += count + 1, count = 0) {
        while (slot + count < slots && runs[2 * (slot + count) + 1].count > 0)
            count++;
        verbs->merge(state_at(verbs, room, 2 * slot), state_at(verbs, room, 2 * slot + 1),
                     (struct merges){count, 2, 1, 0});
    }
    for (uint64_t step = 2; step < pieces; step *= 2)
        verbs->merge(room, state_at(verbs, room, step), (struct merges){slots / step, 2 * step, 1, 0});
}

/* The sum becomes room[0]; a level needs a state more. */
static inline void halving_recursion(const struct replay_call *call, struct piece of, uint64_t base, void *room)
{
    const struct verbs *verbs = call->verbs;
    const uint64_t left = of.count / 2;
    if (of.count <= base) {
        verbs->zero(room, 1);
        verbs->add_run(room, term_at(call, of.first), of.count);
    } else if (of.count <= PIECES_AT_ONCE * base && !verbs->is_recorded) {
        halving_together(call, of, base, room);
    } else {
        /* The right half first, as a tape has had it from the beginning. */
        void *of_left = state_at(verbs, room, 1);
        halving_recursion(call, (struct piece){of.first + left, of.count - left}, base, room);
        halving_recursion(call, (struct piece){of.first, left}, base, of_left);
        verbs->merge_run(of_left, room, 1);
        memcpy(room, of_left, verbs->state_bytes);
    }
}

/* A worker's share: every so many-th of the pieces at the depth where there are 4 for each worker. */
static inline uint64_t halving_shared_depth(const struct replay_call *call, uint64_t base)
{
    const uint64_t shares = call->workers == 1 ? 1 : at_most(4 * call->workers, SHARES_MOST);
    return at_most(ceil_log2(shares), halving_slot_depth(call->n, base));
}

/* Sums of shares are the first SHARES_MOST states at most of the first worker's room; each has the rest of its own for
 * the recursion. */
static inline void halving_share(const struct replay_call *call, uint64_t base, unsigned worker)
{
    const struct verbs *verbs = call->verbs;
    const uint64_t depth = halving_shared_depth(call, base);
    void *room = state_at(verbs, call->partial, worker * replay_states(call->grid) + SHARES_MOST);
    for (uint64_t slot = worker; slot < UINT64_C(1) << depth; slot += call->workers) {
        halving_recursion(call, halving_piece(call->n, depth, slot), base, room);
        memcpy(state_at(verbs, call->partial, slot), room, verbs->state_bytes);
    }
}
#endif

#define HALVING_VERB_(id, verb) id##_##verb
#define HALVING_VERB(id, verb) HALVING_VERB_(id, verb)

#ifdef __CUDACC__
/* The end of the recursion: a base case or two. */
static __device__ STATE piece_sum(struct elements x, struct piece piece, uint64_t base)
{
    const uint64_t middle = piece.first + piece.count / 2, end = piece.first + piece.count;
    if (piece.count <= base)
        return neighbours_sum(x, piece.first, end);
    return A(merge)(neighbours_sum(x, piece.first, middle), neighbours_sum(x, middle, end));
}
#endif

#endif

#define H(verb) HALVING_VERB(HALVING, verb)

static inline bool H(can_do)(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE])
{
    if (grid.threads == 1) {
        snprintf(why, REASON_SIZE, "1 thread in a block merges nothing; recursive halving needs at least 2");
        return false;
    }
    return shared_tree_can_do(verbs, grid, why);
}

static inline uint64_t H(height)(uint64_t n, struct thread_grid grid)
{
    (void)grid;
    return halving_height(n, HALVING_BASE);
}

static inline uint64_t H(sums)(uint64_t n, struct thread_grid grid)
{
    return halving_sums(n, HALVING_BASE, grid.threads);
}

#ifndef __CUDACC__
static void H(replay_share)(void *context, unsigned worker)
{
    const struct replay_call *call = (const struct replay_call *)context;
    halving_share(call, HALVING_BASE, worker);
}

static const void *H(replay)(const struct replay_call *call)
{
    const struct verbs *verbs = call->verbs;
    workers_run(call->workers, H(replay_share), (void *)(uintptr_t)call);
    for (uint64_t left = UINT64_C(1) << halving_shared_depth(call, HALVING_BASE); left > 1; left /= 2) {
        verbs->merge(call->partial, state_at(verbs, call->partial, 1), (struct merges){left / 2, 2, 1, 0});
        verbs->gather(call->partial, 2, left / 2);
    }
    return call->partial;
}

static const struct order_traits H(traits) = {.joins = HALVING_BASE == 1 ? NEVER_ADDS : ADDS_AND_MERGES};
#else
KERNEL(H(pieces))(struct elements x, uint64_t n, uint64_t depth, STATE *sums)
{
    extern __shared__ STATE shared[];
    const uint64_t slots = (uint64_t)1 << depth, tiles = ceil_div(slots, blockDim.x);
    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const uint64_t slot = tile * blockDim.x + threadIdx.x;
        STATE mine = A(zero)();
        if (slot < slots)
            mine = piece_sum(x, halving_piece(n, depth, slot), HALVING_BASE);
        const STATE sum = neighbour_tree_sum(shared, mine, (uint32_t)at_most(blockDim.x, slots));
        if (threadIdx.x == 0)
            sums[tile] = sum;
    }
}

/* count is a power of two, as the number of slots and the threads are. */
KERNEL(H(merge))(const STATE *of, uint64_t count, STATE *sums)
{
    extern __shared__ STATE shared[];
    const uint64_t tiles = ceil_div(count, blockDim.x);
    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const uint64_t i = tile * blockDim.x + threadIdx.x;
        const STATE mine = i < count ? of[i] : A(zero)();
        const STATE sum = neighbour_tree_sum(shared, mine, (uint32_t)at_most(blockDim.x, count));
        if (threadIdx.x == 0)
            sums[tile] = sum;
    }
}

KERNEL(H(finish))(const STATE *sum, struct results results)
{
    store_result(results, 0, *sum);
}

static cudaError_t H(launch)(const struct device_call *call)
{
    const struct thread_grid grid = call->grid;
    const size_t shared_bytes = grid.threads * sizeof(STATE);
    uint64_t tiles = halving_tiles(call->n, HALVING_BASE, grid.threads);
    STATE *sums = call->sums;
    EXPORTED(H(pieces))<<<(uint32_t)at_most(grid.blocks, tiles), grid.threads, shared_bytes, call->stream>>>(
        call->x, call->n, halving_slot_depth(call->n, HALVING_BASE), sums);
    while (tiles > 1) {
        STATE *next = sums + tiles;
        const uint64_t fewer = ceil_div(tiles, grid.threads);
        EXPORTED(H(merge))<<<(uint32_t)at_most(grid.blocks, fewer), grid.threads, shared_bytes, call->stream>>>(
            sums, tiles, next);
        sums = next;
        tiles = fewer;
    }
    EXPORTED(H(finish))<<<1, 1, 0, call->stream>>>(sums, call->results);
    return cudaGetLastError();
}
#endif

#undef H
#undef HALVING
#undef HALVING_BASE
