/* atomic_order: block sums M, 1, 1, ..., 1, -M, added in the order in which the blocks arrive.
 *
 *   what block 0 adds first is M, what the last block adds first is -M; of any other block 1; all else is 0
 *
 * A 1 is kept when it comes after both M and -M, and lost otherwise.  With b blocks each result from 0 to b - 2 can
 * come; in the order of the blocks it is 0.  The last block is the last one with elements.
 *
 *   5 blocks: M 1 1 1 -M arrive as M -M 1 1 1: 3;  as M 1 -M 1 1: 2;  as 1 M 1 1 -M: 0
 */
#include "datasets/order_aware.h"

#define FAMILY atomic_order

/* whole[0]: elements from one block's first to that of the next; whole[1]: the last block's first.  Both are below
 * 2^32, as n is. */
PORTABLE float atomic_order_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const float big = (float)call->values[BIG_VALUE];
    (void)random;
    if (i > call->whole[1] || (uint32_t)i % (uint32_t)call->whole[0] != 0)
        return 0;
    return i == 0 ? big : i == call->whole[1] ? -big : 1.0f;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
#include <inttypes.h>

static const char family[] = "atomic_order";

/* Blocks with elements: each starts so many elements after the one before. */
static uint64_t busy_blocks(const struct tree_request *request, uint64_t stride)
{
    const uint64_t needed = (request->n + stride - 1) / stride;
    return needed < request->launch.blocks ? needed : request->launch.blocks;
}

static enum status prepare(struct generator_call *call)
{
    const struct tree_request request = order_aware_request(call, family);
    uint64_t stride;
    TRY(sum_tree_possible(&request));
    TRY(order_aware_first(&request, 1, 0, &stride));
    const uint64_t busy = busy_blocks(&request, stride);
    if (busy < 3)
        return bad_input("atomic_order: n=%" PRIu64 ",blocks=%u: %" PRIu64
                         " blocks have elements; expected 3 or more; choose more than %" PRIu64
                         " elements and 2 blocks, or fewer threads",
                         request.n, request.launch.blocks, busy, 2 * stride);
    call->whole[0] = stride;
    call->whole[1] = (busy - 1) * stride;
    return OK;
}

static const char *const method[] = {"plain/tree_atomic", NULL};

const struct generator generator_atomic_order = {
    .id = "atomic_order",
    .summary = "block sums M, 1, ..., 1, -M: what comes after both is kept",
    .formula = "x_0 = M, -M in the last block, 1 in the others, where each starts; else 0",
    .source = "made for ulpscope; that atomics differ from run to run: CCCL 3.1, determinism not_guaranteed",
    .effects = EFFECTS({"n=64Ki", "plain/*,binary64/*,binned/*,kahan_naive_merge/*,!*/ranks_*", AT_LEAST, 1.1e7},
                       {"n=64Ki", "kahan/serial,fabsum/serial", AT_LEAST, 1.5e7},
                       {"n=64Ki", "kahan/tree_two_pass", AT_MOST, 0},
                       {"n=64Ki", "neumaier/*,klein/*,double_float/*", AT_MOST, 0}),
    .exact = "b - 2 for b blocks with elements; condition 2M / (b - 2) + 1",
    .showcase = {"atomic_order:n=64Ki", "atomic_order:n=1Mi,blocks=1000"},
    .parameters = PARAMETERS(ORDER_AWARE_PARAMETERS(method), BIG_PARAMETER),
    .least_n = 2 * 256 + 1, /* 3 blocks, where nothing else is asked for */
    .most_n = SUM_TREE_MOST_N,
    .refuses = order_aware_refuses,
    .prepare = prepare,
    .elements = atomic_order_elements,
};
#endif
