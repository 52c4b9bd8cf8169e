/* warp: M and -M in two lanes of a warp, a chosen distance apart.
 *
 *   x_0 = M, x_j = -M, else 1;  x_j is what lane `offset` of the first warp adds first
 *
 * Shuffles merge lane 0 with lane 16 first and with lane 1 last, whatever the threads of the block: with m elements in
 * a thread, those of 32/offset threads join M or -M by then, and all but the two are lost.  In a tree in shared memory
 * over T threads lanes 0 and 16 are merged after the warps: T/offset threads; only a block of one warp has the same
 * tree.  The interleaved one has 2 offset threads.
 */
#define FAMILY warp
#include "datasets/opposites.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    return opposites_at_an_offset(call, family);
}

const struct generator generator_warp = {
    .id = "warp",
    .summary = "M and -M in two lanes of a warp, which shuffles merge early or late",
    .formula = "x_0 = M, x_j = -M, else 1; x_j is the first of lane `offset`",
    .source = "made for ulpscope",
    .effects = EFFECTS({"n=64Ki,offset=1", "plain/shuffle_two_pass", AT_LEAST, 24000},
                       {"n=64Ki,offset=1", "plain/tree_two_pass", AT_LEAST, 1.9e5},
                       {"n=64Ki,offset=1", "neumaier/*,klein/*,double_float/*", AT_MOST, 0},
                       {"n=64Ki,offset=16", "plain/shuffle_two_pass", AT_LEAST, 1000},
                       {"n=64Ki,offset=16", "plain/tree_two_pass,plain/tree_interleaved_two_pass", AT_LEAST, 11000},
                       {"n=64Ki,offset=16", "neumaier/*,klein/*,double_float/*", AT_MOST, 0}),
    .showcase = {"warp:n=64Ki,offset=1..16*2"},
    .parameters = PARAMETERS(ORDER_AWARE_PARAMETERS(WORDS("plain/shuffle_two_pass")), BIG_PARAMETER,
                             {"offset", WHOLE, 1, 1, 16, "from lane 0 to that of -M: 1, 2, 4, 8 or 16", NULL}),
    .elements = warp_elements,
    OPPOSITES_FAMILY,
};
#endif
