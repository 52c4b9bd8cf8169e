/* lca: two numbers that cancel, and what meets either of them before is lost.
 *
 *   x_i = M, x_j = -M, else 1
 *
 * In the tree of the method, the ones below the lowest common ancestor of i and j are lost, the others are not.  So the
 * result tells how many there are, and from many pairs the whole tree can be told: this is how FPRev does it.
 *
 *   ((x0 + x2) + (x1 + x3))    i = 0, j = 2: the two ones are safe, 2;  i = 0, j = 1: both are lost, 0
 *
 * M is from 2^49 on, so that no sum of 2^24 ones moves it by half an ulp.  Neighbours in memory that a GPU keeps apart
 * are j=1; what thread k of a grid-stride loop adds first is j=k, which a tree in shared memory merges with x_0 the
 * later the smaller k is, and an interleaved one the other way round; j = blocks x threads is what its thread 0 adds
 * next.
 *
 * Without j it is the leftmost element of the other half of the tree: i and j meet in its root, and all is lost.
 */
#include "datasets/order_aware.h"

#define FAMILY lca

PORTABLE float lca_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const float big = (float)call->values[BIG_VALUE];
    (void)random;
    return i == call->whole[0] ? big : i == call->whole[1] ? -big : 1.0f;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const char family[] = "lca";

/* Below the root's child that has no i below it. */
static uint64_t across_the_root(const struct sum_tree *tree, uint64_t i)
{
    uint32_t node = tree->leaf[i];
    while (tree->place[node].parent != tree->count)
        node = tree->place[node].parent;
    return sum_tree_leftmost(tree, sum_tree_sibling(tree, node));
}

static enum status choose_partner(const struct tree_request *request, uint64_t i, uint64_t *j)
{
    FREED_BY(sum_tree_free) struct sum_tree tree = {0};
    TRY(sum_tree_make(request, &tree));
    *j = across_the_root(&tree, i);
    return OK;
}

static enum status prepare(struct generator_call *call)
{
    const struct tree_request request = order_aware_request(call, family);
    const uint64_t i = (uint64_t)call->values[OWN_VALUE], j = (uint64_t)call->values[OWN_VALUE + 1];
    if (i >= call->n || j >= call->n)
        return bad_input(
            "lca: i=%llu and j=%llu with n=%llu; expected indices from 0 to %llu; choose others, or a larger n",
            (unsigned long long)i, (unsigned long long)j, (unsigned long long)call->n, (unsigned long long)call->n - 1);
    call->whole[0] = i;
    call->whole[1] = j;
    return i == j ? choose_partner(&request, i, &call->whole[1]) : sum_tree_possible(&request);
}

const struct generator generator_lca = {
    .id = "lca",
    .summary = "M and -M among ones: what joins them before they meet is lost",
    .formula = "x_i = M, x_j = -M, else 1",
    .source = "after the inputs by which FPRev reveals orders: Xie, Gao, Wang & Xue, USENIX ATC 2025",
    .effects = EFFECTS({"n=64Ki", "plain/tree_two_pass", AT_LEAST, 1.6e7},
                       {"n=64Ki", "binary64/tree_two_pass", AT_LEAST, 97000},
                       {"n=64Ki", "plain/serial,plain/pairwise", AT_LEAST, 65000},
                       {"n=64Ki", "binned/*,binned_3x13/*", AT_LEAST, 1.6e7},
                       {"n=64Ki", "neumaier/*,klein/*,double_float/*,binned_4x20/*", AT_MOST, 0},
                       {"n=64Ki,method=plain/serial", "plain/serial", AT_LEAST, 1.6e7},
                       {"n=64Ki,method=plain/serial", "kahan/serial,fabsum/serial", AT_LEAST, 1.6e7},
                       {"n=64Ki,method=plain/serial", "neumaier/*,klein/*,double_float/*", AT_MOST, 0},
                       {"n=64Ki,j=1", "plain/tree_two_pass", AT_LEAST, 1.9e5},
                       {"n=64Ki,j=1", "plain/serial,plain/pairwise", AT_MOST, 0}),
    .showcase = {"lca:n=64Ki", "lca:n=64Ki,method=plain/serial", "lca:n=64Ki,j=1", "lca:n=64Ki,j=128"},
    .parameters =
        PARAMETERS(ORDER_AWARE_PARAMETERS(WORDS("plain/tree_two_pass")),
                   {"big", REAL, 0x1p60, 0x1p49, 0x1p125, "M, rounded to binary32", NULL},
                   {"i", WHOLE, 0, 0, SUM_TREE_MOST_N - 1, "where M is", NULL},
                   {"j", WHOLE, 0, 0, SUM_TREE_MOST_N - 1, "where -M is; the same as i: where both meet last", NULL}),
    .exact = "n - 2; condition (2M + n - 2) / (n - 2)",
    .least_n = 3, /* some one of them is lost, or not */
    .most_n = SUM_TREE_MOST_N,
    .refuses = order_aware_refuses,
    .prepare = prepare,
    .elements = lca_elements,
};
#endif
