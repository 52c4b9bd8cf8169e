/* Prefix sums as methods: an accumulator in an order of scan_orders.def, a result for each number,
 *
 *   scan:plain/two_level@bfloat16     {1, 2, 3, 4}: 1, 3, 6, 10, each state rounded to the format of results
 *
 * by the verbs of sums: a state is a prefix, or a part of some.  Where a launch has G threads in all, blocks of T:
 *
 * - serial: s_j = add(s_(j-1), x_j)
 * - chunks: thread g has the numbers g c .. g c + c - 1, c = ceil(n/G): r_g adds them; p_g = merge(p_(g-1), r_(g-1)),
 *   p_0 empty; then p_g adds them one after the other
 * - hillis_steele: s_j = add(0, x_j); for d = 1, 2, 4, ... < n all at once: s_j = merge(s_j, s_(j-d)) where j >= d
 * - blelloch: t(a, d) of 2^d numbers from a on: merge(right half, left half); what is before j merges those that the
 *   bits of j, highest first, name; and adds x_j
 * - two_level: a tile is 8 T numbers, a thread adds 8 neighbours; the threads' sums of a warp by hillis_steele, those
 *   of whole warps left to right. 32 tiles left to right are a group, 32 groups one of the next level, and so on.
 *   What is before a tile: an empty state and, from the largest groups on, of each level what is left, left to right.
 *   Prefix: merge(merge(what is before the tile, what is before the thread in it), the thread's own up to j)
 * - look_back: likewise, but what is before a tile is one, as it comes on a GPU (tile t-1 takes t-2's and all of what
 *   it finds); in a replay the tiles left to right
 *
 * Of windows of w numbers (rolling; shape.columns, 0: of all up to each), {1, 2, 3, 4} and w = 2: 1, 3, 5, 7:
 *
 * - add_subtract: thread g, chunks as above: adds the w - 1 numbers before g c, as far as there are any; then for each
 *   j = g c, ...: s = add(s, x_j), and but for the first s = add(s, -x_(j-w)), where j >= w
 * - again_each_time: x_(j-w+1), ..., x_j, each time into an empty state
 */
#pragma once

#include "compiled.h"
#include "replay.h"

enum { SCAN_ITEMS = 8 }; /* of a thread in a tile */

enum scan_order {
#define SCAN_ORDER(id, operation, determinism, slow_above, claim) SCAN_ORDER_##id,
#include "scan_orders.def"
    SCAN_ORDERS
};

/* A method's parts, which outlive it. */
struct scan_method {
    struct cell cell;
    struct method sums; /* the same accumulator's, as bounds ask it */
    enum scan_order order;
};

/* The method of that order, if it is of the operation; the id is that of the cell. */
bool scan_method_make(struct scan_method *of, enum operation operation, const struct verbs *verbs,
                      enum scan_order order, const struct sum_format *sum_format, struct method *method);

/* Its replay of one row, whose results are taken as they come: so many in `bits` at a time, a power of two, and then
 * the rest of them. */
struct scan_pieces {
    uint64_t at_once;
    void (*take)(void *context, uint64_t first, uint64_t count);
    void *context;
};
enum status scan_replay(const struct method *self, const struct operands *of, struct launch launch,
                        const struct scan_pieces *pieces, uint64_t *bits);

/* Additions and merges of states that are not empty on the way to result j, at most. */
uint64_t scan_height(enum scan_order order, struct shape shape, uint64_t j, struct launch launch);

/* Of sums of windows. */
static inline uint64_t scan_window(struct shape shape)
{
    return shape.columns > 0 ? shape.columns : UINT64_MAX;
}

/* The numbers before the first of a chunk that its window has. */
PORTABLE uint64_t scan_before(uint64_t first, uint64_t window)
{
    return first < window - 1 ? first : window - 1;
}

/* ---- how a launch shares the numbers ---- */

/* Of n numbers; a chunk, a tile and the tiles of a block are at least 1. */
static inline uint64_t scan_chunk(uint64_t n, struct launch launch)
{
    const uint64_t threads = (uint64_t)launch.blocks * launch.threads;
    return n <= threads ? 1 : (n - 1) / threads + 1;
}

static inline uint64_t scan_tile(struct launch launch)
{
    return (uint64_t)SCAN_ITEMS * launch.threads;
}

/* Tiles of a launch come in groups of SCAN_FAN, those in groups of as many, and so on: of which group of a level. */
enum { SCAN_FAN_BITS = 5, SCAN_FAN = 1 << SCAN_FAN_BITS, SCAN_LEVELS = 8 };

PORTABLE uint64_t scan_of_level(uint64_t tile, int level)
{
    return tile >> (SCAN_FAN_BITS * level);
}
