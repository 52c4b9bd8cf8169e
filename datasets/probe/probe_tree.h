/* A summation tree as it can be seen from outside: a node joins two or more others, and nobody knows which one stood on
 * the left.  Addition commutes, so that a + b and b + a give the same bits: the child that has the smallest element is
 * put first.  Two trees are then the same when their nodes are, number by number.
 *
 *   (x0 + x2) + (x1 + x3)          7           nodes are numbered from 1, each after its children; the last one is the
 *                               3     6        root
 *                              1 2   4 5       leaves 1 2 4 5 are x0 x2 x1 x3
 *
 *   [x0 x1 x2] + x3             a node of three: one fused addition, which rounds once or drops bits of all three
 *
 * Nothing here recurses, but for the text: a chain of n additions is n high.
 */
#pragma once

#include "datasets/sum_tree.h"
#include "src/base/text.h"

struct probe_node {
    uint32_t parent;       /* 0: of the root */
    uint32_t first_child;  /* 0: a leaf */
    uint32_t next_sibling; /* 0: the last child */
    uint32_t children;
    uint32_t leaves;   /* below it; 1: a leaf */
    uint32_t smallest; /* element below it; of a leaf its own */
    uint32_t height;   /* additions on the longest path below it; of a leaf 1, for 0 + x, as in sum_tree.h */
};

struct probe_tree {
    uint64_t n, count;        /* leaves, nodes */
    struct probe_node *nodes; /* of node k: nodes[k] */
    uint32_t *leaf;           /* of element i: its node */
};

/* parent[k] for nodes 1..count, of which 1..n are the elements; the root's is 0.  Every other node has two children or
 * more.  NOT_MEASURED when memory is short. */
enum status probe_tree_of_parents(const uint32_t *parent, uint64_t n, uint64_t count, struct probe_tree *tree);
void probe_tree_free(struct probe_tree *tree);

/* The tree of an order, with nobody on the left any more. */
enum status probe_tree_of_sum_tree(const struct sum_tree *from, struct probe_tree *tree);

/* Every node is one addition of two. */
bool probe_tree_is_binary(const struct probe_tree *tree);

/* As a drawing wants it, with the same numbers of nodes.  The tree is binary. */
enum status probe_tree_to_sum_tree(const struct probe_tree *from, struct sum_tree *tree);

bool probe_tree_same(const struct probe_tree *a, const struct probe_tree *b);

/* The node in which two elements meet. */
uint32_t probe_tree_meeting(const struct probe_tree *tree, uint64_t i, uint64_t j);

/* "(x0 + x2) + [x1 x3 x4]"; for small trees. */
void probe_tree_write(const struct probe_tree *tree, struct text *to);
