/* Where two elements of a tree meet. */
#ifndef ULPSCOPE_TESTS_MEETING_H
#define ULPSCOPE_TESTS_MEETING_H

#include "datasets/sum_tree.h"

/* Their lowest common ancestor: a node has a greater number than those below it, so the one with the smaller number
 * climbs. */
static inline uint32_t sum_tree_meeting(const struct sum_tree *tree, uint64_t i, uint64_t j)
{
    uint32_t a = tree->leaf[i], b = tree->leaf[j];
    while (a != b)
        if (a < b)
            a = tree->place[a].parent;
        else
            b = tree->place[b].parent;
    return a;
}

/* The elements that join i or j before these meet. */
static inline uint64_t sum_tree_between(const struct sum_tree *tree, uint64_t i, uint64_t j)
{
    return tree->place[sum_tree_meeting(tree, i, j)].leaves - (i == j ? 1 : 2);
}

#endif
