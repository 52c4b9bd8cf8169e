/* The tree of a method as a search sees it: elements in the order of its leaves, left to right, so that what is below a
 * node are neighbours.
 *
 *   ((x0 + x2) + (x1 + x3))    ranks 0 1 2 3 are x0 x2 x1 x3;  nodes 0..1, 2..3 and 0..3, which parts at 2
 */
#pragma once

#include "datasets/sum_tree.h"

/* Ranks first .. middle-1 meet ranks middle .. end-1. */
struct terrain_node {
    uint32_t first, middle, end;
};

struct terrain {
    uint64_t n;
    uint32_t *element;          /* of a rank */
    struct terrain_node *nodes; /* n - 1, each after those below it; none for n < 2 */
    uint32_t node_count;
    struct tape_node *tape; /* whose leaves are ranks; NULL: nobody knows the tree, and nodes are those of a loop */
    uint64_t tape_count;
};

/* A plug-in is asked for its tree only where that takes few sums, a black box of a GPU never; none is no failure.
 * Complains and returns BAD_INPUT or NOT_MEASURED, with *terrain empty. */
enum status terrain_make(const struct tree_request *request, struct terrain *terrain);
void terrain_free(struct terrain *terrain);
