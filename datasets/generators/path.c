/* path: every addition on the longest path of a tree rounds, and all in the same direction.
 *
 * The leaf at the end of that path is 1.  Each partial sum that joins the path is u = 2^-24: one leaf of it is u, the
 * others are 0.  1 + u is a tie that goes to the even 1, so that each u is lost, and none meets another before.
 *
 *   ((x0 + x2) + (x1 + x3))    1 u u 0: (1 + u) + (u + 0) = 1, and the exact sum is 1 + 2u
 *
 * A method of height h has h - 1 additions on the path beside the first, 0 + x, which rounds nothing: the error is
 * (h - 1)u to the last digit, the first order of plain's bound (docs/bounds.md, P1: k = h - 1).  `serial` has h = n:
 * (n - 1)u, the family `tie`.  This at condition 1: all are positive.
 */
#include "datasets/order_aware.h"

static const char family[] = "path";

/* Each step of the walk down is in another subtree: n in all. */
static void set_path(const struct sum_tree *tree, float *x)
{
    const uint64_t deepest = sum_tree_deepest(tree);
    for (uint64_t i = 0; i < tree->n; i++)
        x[i] = 0;
    x[deepest] = 1;
    for (uint32_t node = tree->leaf[deepest]; tree->place[node].parent != 0; node = tree->place[node].parent)
        x[sum_tree_leftmost(tree, sum_tree_sibling(tree, node))] = 0x1p-24f;
}

static enum status build(const struct generator_call *call, void *x)
{
    const struct tree_request request = order_aware_request(call, family);
    FREED_BY(sum_tree_free) struct sum_tree tree = {0};
    TRY(sum_tree_make(&request, &tree));
    set_path(&tree, x);
    return OK;
}

const struct generator generator_path = {
    .id = "path",
    .summary = "1 at the end of a tree's longest path, and half an ulp of it joins at every step",
    .formula = "x_d = 1, x_k = 2^-24 for one k below each sibling of the path from d to the root, else 0",
    .source = "made for ulpscope",
    .effects = EFFECTS({"n=64Ki", "plain/*", AT_MOST, 8.5},
                       {"n=64Ki", "kahan_naive_merge/*,compensated/*,wider/*,exact/*", AT_MOST, 0.5},
                       {"n=64Ki,method=plain/serial", "plain/serial", AT_LEAST, 32000},
                       {"n=64Ki,method=plain/serial", "plain/pairwise", AT_LEAST, 63},
                       {"n=64Ki,method=plain/serial", "plain/tree_two_pass", AT_MOST, 0.5},
                       {"n=64Ki,method=plain/serial", "kahan/*,neumaier/*,binary64*", AT_MOST, 0.5},
                       {"n=64Ki,method=plain/shuffle_two_pass", "plain/shuffle_two_pass", AT_LEAST, 11},
                       {"n=64Ki,method=plain/pairwise", "plain/serial,plain/pairwise", AT_LEAST, 68},
                       {"n=64Ki,method=plain/pairwise", "plain/tree_two_pass", AT_MOST, 2},
                       {"n=64Ki,method=plain/pairwise", "kahan/*,neumaier/*,binary64*", AT_MOST, 0},
                       {"n=1Mi", "plain/tree_two_pass", AT_LEAST, 24},
                       {"n=1Mi", "plain/pairwise,plain/vector_two_pass", AT_MOST, 11}),
    .exact = "1 + (h - 1) 2^-24; condition 1",
    .showcase = {"path:n=64Ki", "path:n=64Ki,method=plain/serial", "path:n=64Ki,method=plain/shuffle_two_pass",
                 "path:n=64Ki,method=plain/pairwise"},
    .parameters = PARAMETERS(ORDER_AWARE_PARAMETERS(WORDS("plain/tree_two_pass"))),
    .least_n = 1,
    .most_n = SUM_TREE_MOST_N,
    .refuses = order_aware_refuses,
    .build = build,
};
