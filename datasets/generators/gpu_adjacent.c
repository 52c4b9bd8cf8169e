/* gpu_adjacent: M and -M that are neighbours in memory, and strangers on a GPU.
 *
 *   x_0 = M, x_1 = -M, else 1
 *
 * Left to right, M - M = 0 comes first and all is exact.  In a grid-stride loop neighbours belong to neighbouring
 * threads, which a tree in shared memory merges last of all: what their block has added by then is lost.
 *
 *   2 blocks of 2 threads, 8 elements: M -M 1 1 1 1 1 1    ((x0 + x4) + (x1 + x5)) + ...: 4;  left to right: 6
 */
#define FAMILY gpu_adjacent
#include "datasets/opposites.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const struct tree_request request = order_aware_request(call, family);
    struct sum_tree tree;
    TRY(sum_tree_make(&request, &tree));
    const uint64_t between = sum_tree_between(&tree, 0, 1);
    sum_tree_free(&tree);
    call->whole[0] = 0;
    call->whole[1] = 1;
    if (between > 0)
        return OK;
    return bad_input("gpu_adjacent: method=%s adds x_0 to its neighbour x_1 first, so that nothing is lost; expected "
                     "an order that keeps neighbours apart; choose a grid-stride one, such as tree_two_pass",
                     request.method->id);
}

const struct generator generator_gpu_adjacent = {
    .id = "gpu_adjacent",
    .summary = "M and -M that are neighbours, which a GPU keeps apart",
    .formula = "x_0 = M, x_1 = -M, else 1",
    .source = "made for ulpscope",
    .effects = EFFECTS({"n=64Ki", "plain/tree_two_pass", AT_LEAST, 1.9e5},
                       {"n=64Ki", "plain/serial,plain/pairwise", AT_MOST, 0},
                       {"n=64Ki", "neumaier/tree_*,klein/tree_*,kahan/tree_*", AT_MOST, 0},
                       {"n=64Ki,method=plain/shuffle_two_pass", "plain/shuffle_two_pass", AT_LEAST, 24000},
                       {"n=64Ki,method=plain/shuffle_two_pass", "plain/serial,plain/pairwise", AT_MOST, 0},
                       {"n=64Ki,method=plain/shuffle_two_pass", "neumaier/*,klein/*", AT_MOST, 0}),
    .showcase = {"gpu_adjacent:n=64Ki", "gpu_adjacent:n=64Ki,method=plain/shuffle_two_pass"},
    .parameters = PARAMETERS(ORDER_AWARE_PARAMETERS(WORDS("plain/tree_two_pass")), BIG_PARAMETER),
    .elements = gpu_adjacent_elements,
    OPPOSITES_FAMILY,
};
#endif
