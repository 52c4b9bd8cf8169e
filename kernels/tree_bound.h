/* The theorem of plain additions in a tree of a height (docs/bounds.md), whoever adds: what a word of a tree claims. */
#ifndef ULPSCOPE_TREE_BOUND_H
#define ULPSCOPE_TREE_BOUND_H

#include "tree_word.h"

/* On |computed - s|, of n terms of an operation; of a matrix product that of a dot product of its own.  INFINITY: no
 * claim. */
double tree_bound(enum operation operation, const struct sum_format *in, uint64_t n, uint64_t height,
                  const struct magnitudes *of);

/* The same as a share of sum |x_i|, where that is no less than `least`, of a result that is finite. */
double tree_share(enum operation operation, const struct sum_format *in, uint64_t n, uint64_t height, double least);

/* The word of a tree whose share is below 1, of the first of tree_words_lower; NULL: there is none. */
const char *tree_that_claims(enum operation operation, const struct sum_format *in, uint64_t n, double *share);

#endif
