/* The tree in which a method adds n elements: who meets whom, and after how many others.  It is the order's, whatever
 * the accumulator: the accumulator `trace` records it.
 *
 *   plain/tree_two_pass, 4 threads, 4 elements: ((x0 + x2) + (x1 + x3))
 *
 *          7           nodes are numbered from 1, each after the two that it joins; the last one is the root
 *       5     6        x0 and x1 meet in node 7, with 4 leaves: two others are there before
 *      1 3   2 4       height 3: the path of x0 is 0 + x0, + x2, + (x1 + x3)
 *
 * Nothing here recurses: the tree of `serial` is n high.  76 bytes per element and some 70 ns, for 2^20 as for 2^24.
 */
#pragma once

#include "kernels/method.h"
#include "kernels/tape.h"

/* Indices are the labels of the leaves, and the labels are numbers of binary32. */
enum { SUM_TREE_MOST_N = 1 << 24 };

/* Which tree; `family` starts every complaint. */
struct tree_request {
    const char *family;
    const struct method *method;
    uint64_t n;
    struct launch launch;
};

/* "mine/loop, n = 16, as its sums show it", "plain/serial, n = 16, 120 x 256": the caller frees it. */
char *tree_request_words(const struct tree_request *request);

struct sum_tree_place {
    uint32_t parent; /* 0: of the root */
    uint32_t leaves; /* below it; 1: a leaf */
    uint32_t height; /* additions and merges on the longest path below it, with the first, 0 + x */
};

struct sum_tree {
    uint64_t n, count;            /* leaves, nodes */
    struct tape_node *joined;     /* of node k: joined[k - 1], whose leaf is an index */
    struct sum_tree_place *place; /* of node k: place[k] */
    uint32_t *leaf;               /* of element i: its node */
    char letter;                  /* of a leaf's name: x, an element; p, the product of two */
};

/* Whether there is such a tree.  Complains and returns BAD_INPUT for a black box that only a GPU runs, a launch that
 * the method cannot do, and an n above SUM_TREE_MOST_N. */
enum status sum_tree_possible(const struct tree_request *request);

/* Complains and returns BAD_INPUT or NOT_MEASURED, with *tree empty.  The order of atomics is that of the replay, that
 * of a plug-in what its sums show (probe/revealed.h). */
enum status sum_tree_make(const struct tree_request *request, struct sum_tree *tree);
void sum_tree_free(struct sum_tree *tree);

/* The tree of nodes that were made elsewhere, in the order of a tape and with indices as leaves; it takes them. */
enum status sum_tree_of_nodes(struct tape_node *nodes, uint64_t count, uint64_t n, struct sum_tree *tree);

/* Whether a run on a GPU may have another tree each time. */
bool sum_tree_is_one_of_many(const struct tree_request *request);

/* Whether a node is an element, and joins nothing. */
static inline bool sum_tree_is_leaf(const struct sum_tree *tree, uint32_t node)
{
    return tree->joined[node - 1].left == 0;
}

/* As method->height() has it; 0 for no elements. */
uint64_t sum_tree_height(const struct sum_tree *tree);

/* The element at the end of the longest path; of several the one furthest to the left. */
uint64_t sum_tree_deepest(const struct sum_tree *tree);

/* The node that a node is joined with; 0 for the root. */
uint32_t sum_tree_sibling(const struct sum_tree *tree, uint32_t node);

/* The leftmost element below a node.  As many steps as the path is long. */
uint64_t sum_tree_leftmost(const struct sum_tree *tree, uint32_t node);
