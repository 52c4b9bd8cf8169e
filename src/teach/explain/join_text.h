/* The nodes of a tree in words: which elements are below one, and how it is added up.
 *
 *   x0    x0..x40 (41)    x0, x512..x16384 (33)        ((x0 + x2) + x1)
 */
#ifndef ULPSCOPE_JOIN_TEXT_H
#define ULPSCOPE_JOIN_TEXT_H

#include "datasets/sum_tree.h"
#include "src/base/text.h"

/* Appends the elements below a node, as tree/spans.h has them. */
void join_elements(const struct sum_tree *tree, uint32_t node, struct text *to);

/* Appends the parenthesised sum; of the elements' names, or of numbers where x is not NULL.  Recurses: for small trees.
 */
void join_expression(const struct sum_tree *tree, uint32_t node, const float *x, struct text *to);

#endif
