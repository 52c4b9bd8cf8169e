/* gpu_grid: M and -M that one thread of a GPU adds next to each other, far apart in memory.
 *
 *   x_0 = M, x_j = -M, else 1;  j = blocks x threads in a grid-stride loop
 *
 * The thread's sum is M - M = 0 before any 1 comes; left to right, the j - 1 ones between them are lost.  j comes from
 * the method's tree: the element that x_0 meets first, where n is not larger than the grid that of another thread.
 *
 *   2 blocks of 2 threads, 8 elements: M 1 1 1 -M 1 1 1    ((x0 + x4) + ...: 6;  left to right: 3
 */
#define FAMILY gpu_grid
#include "datasets/opposites.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const struct tree_request request = order_aware_request(call, family);
    struct sum_tree tree;
    TRY(sum_tree_make(&request, &tree));
    call->whole[0] = 0;
    call->whole[1] = sum_tree_leftmost(&tree, sum_tree_sibling(&tree, tree.leaf[0]));
    sum_tree_free(&tree);
    if (call->whole[1] > 1)
        return OK;
    return bad_input("gpu_grid: method=%s adds x_0 to its neighbour x_1, here with n=%llu,blocks=%u,threads=%u; "
                     "expected an order that keeps neighbours apart; choose a grid-stride one, such as tree_two_pass, "
                     "or an n above blocks times threads",
                     request.method->id, (unsigned long long)request.n, request.launch.blocks, request.launch.threads);
}

const struct generator generator_gpu_grid = {
    .id = "gpu_grid",
    .summary = "M and -M that one thread of a GPU adds next to each other",
    .formula = "x_0 = M, x_j = -M, else 1; j = blocks x threads in a grid-stride loop",
    .source = "made for ulpscope",
    .effects = EFFECTS({"n=64Ki", "plain/tree_two_pass", AT_MOST, 0},
                       {"n=64Ki", "plain/serial,plain/pairwise", AT_LEAST, 7.8e6},
                       {"n=64Ki", "neumaier/*,klein/*", AT_MOST, 0},
                       {"n=256Ki,method=plain/vector_two_pass", "plain/vector_two_pass", AT_MOST, 0},
                       {"n=256Ki,method=plain/vector_two_pass", "plain/serial,plain/pairwise", AT_LEAST, 7.8e6},
                       {"n=256Ki,method=plain/vector_two_pass", "neumaier/*,klein/*", AT_MOST, 0}),
    .showcase = {"gpu_grid:n=64Ki", "gpu_grid:n=256Ki,method=plain/vector_two_pass"},
    .parameters = PARAMETERS(ORDER_AWARE_PARAMETERS(WORDS("plain/tree_two_pass")), BIG_PARAMETER),
    .elements = gpu_grid_elements,
    OPPOSITES_FAMILY,
};
#endif
