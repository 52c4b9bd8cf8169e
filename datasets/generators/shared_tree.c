/* shared_tree: M and -M in two threads of a block, a chosen distance apart.
 *
 *   x_0 = M, x_j = -M, else 1;  x_j is what thread `offset` of block 0 adds first
 *
 * A tree in shared memory over T threads merges thread 0 with thread T/2 first and with thread 1 last; the interleaved
 * one, which merges neighbours first, the other way round.  The later they meet, the more ones are lost: with m
 * elements in a thread, those of T/offset threads or of 2 offset threads, but for the two.
 *
 *   1 block of 4 threads, 4 elements, offset = 2: M 1 -M 1    (x0 + x2) + (x1 + x3): 2;  (x0 + x1) + (x2 + x3): 0
 */
#define FAMILY shared_tree
#include "datasets/opposites.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    return opposites_at_an_offset(call, family);
}

const struct generator generator_shared_tree = {
    .id = "shared_tree",
    .summary = "M and -M in two threads of a block, which trees merge early or late",
    .formula = "x_0 = M, x_j = -M, else 1; x_j is the first of thread `offset`",
    .source = "made for ulpscope",
    .effects = EFFECTS({"n=64Ki,offset=1", "plain/tree_two_pass", AT_LEAST, 1.9e5},
                       {"n=64Ki,offset=1", "plain/tree_interleaved_two_pass", AT_LEAST, 1000},
                       {"n=64Ki,offset=1", "neumaier/*,klein/*,double_float/*", AT_MOST, 0},
                       {"n=64Ki,offset=128", "plain/tree_two_pass", AT_LEAST, 1000},
                       {"n=64Ki,offset=128", "plain/tree_interleaved_two_pass", AT_LEAST, 1.9e5},
                       {"n=64Ki,offset=128", "neumaier/*,klein/*,double_float/*", AT_MOST, 0}),
    .showcase = {"shared_tree:n=64Ki,offset=1..128*2"},
    .parameters = PARAMETERS(
        ORDER_AWARE_PARAMETERS(WORDS("plain/tree_two_pass")), BIG_PARAMETER,
        {"offset", WHOLE, 1, 1, 512, "from thread 0 to that of -M: a power of two, at most threads / 2", NULL}),
    .elements = shared_tree_elements,
    OPPOSITES_FAMILY,
};
#endif
