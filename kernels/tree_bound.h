/* The theorem of plain additions in a tree (docs/bounds.md), whoever adds: what a word of a tree claims. */
#pragma once

#include "tree_word.h"

/* On |computed - s|, of n terms of an operation; of a matrix product that of a dot product of its own.  INFINITY: no
 * claim, as of statistics, whose sums are several. */
double tree_bound(enum operation operation, const struct sum_format *in, uint64_t n, struct plain_tree tree,
                  const struct magnitudes *of);

/* The same as a share of sum |x_i|, where that is no less than `least`, of a result that is finite. */
double tree_share(enum operation operation, const struct sum_format *in, uint64_t n, struct plain_tree tree,
                  double least);

/* What is said where a bound claims nothing, and which word of a tree would claim something: "zeros keep a bound above
 * the sum of the magnitudes; auto:pairwise would claim 8.58e-06 of it". */
enum { NO_CLAIM_SIZE = 160 };
const char *tree_no_claim(enum operation operation, const struct sum_format *in, uint64_t n, char text[NO_CLAIM_SIZE]);
