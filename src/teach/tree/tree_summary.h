/* What can be said of a tree of any size: how long the ways through it are, and what is joined where.
 *
 * The path of an element is its way to the sum: so many additions and merges, the first of which is 0 + x, and loses
 * nothing.  The longest path is the height.
 */
#pragma once

#include "datasets/sum_tree.h"

enum { TREE_PAIRS_NAMED = 4 };

struct tree_summary {
    uint64_t n, height;
    uint64_t additions; /* joins in which an element is added to a sum */
    uint64_t merges;    /* all others: of two sums, one element each at the least */
    uint64_t shortest_path;
    double mean_path;
    uint64_t deepest; /* the element whose path is the longest; none for n = 0 */
    uint64_t pairs;   /* joins of two elements: who meets first */
    uint64_t pair[TREE_PAIRS_NAMED][2];
};

/* NOT_MEASURED when memory is short. */
enum status tree_summary_make(const struct sum_tree *tree, struct tree_summary *summary);
