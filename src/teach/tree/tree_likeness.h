/* What a tree that was found by a probe is like: the tree of an order of ours, or of a shape that has words.
 *
 *   plain/pairwise_1, plain/ranks_binomial; 2 more orders have it, too     those of ranks with a number each
 *   plain/tree_two_pass at 2 x 64
 *   8 blocks of 120 to 128 neighbours, joined pairwise; in each 8 chains (x0 + x8 + ...), joined pairwise      NumPy's
 *
 * Nothing is guessed: every word of a shape was held to every node.
 */
#pragma once

#include "datasets/probe/probe_tree.h"
#include "kernels/method.h"

/* The orders of ours that have this tree, at `launch` or at one of a few others; NULL: none has.  The caller frees it.
 * NOT_MEASURED when memory is short. */
enum status tree_like(const struct probe_tree *tree, enum operation operation, const struct sum_format *in,
                      struct launch launch, char **like);

/* In words; NULL: there are none for it.  The caller frees it. */
char *tree_shape(const struct probe_tree *tree);
