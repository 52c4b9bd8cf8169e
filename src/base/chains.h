/* Orders that compilers and libraries make of one loop, which are none of ours: what a black box may add in.
 *
 *   8 chains    x0 + x8 + x16 ...,  x1 + x9 ..., joined one after another, pairwise ((r0 + r1) + (r2 + r3)), or in
 * halves
 *               ((r0 + r4) + (r2 + r6)): a loop that was vectorised
 *   blocks      halves of halves, as long as there are more than 128, and each block so: NumPy
 */
#pragma once

#include "fp.h"

enum { CHAINS_MOST = 128 };

struct chains {
    uint32_t count; /* of chains, a power of two; 1: one after another */
    enum { JOINED_IN_TURN, JOINED_PAIRWISE, JOINED_IN_HALVES } join;
    bool has_tail;  /* what is left of n / count is added at the end, to the sum of the chains */
    uint32_t block; /* most elements of a block; 0: all are one */
    const struct format *added;
};

/* The sum, every addition rounded to `added`. */
double chains_sum(const struct chains *chains, const double *x, uint64_t n);

/* Those that n elements tell apart, one after the other; false: there are no more. */
bool chains_next(const struct format *added, uint64_t n, struct chains *chains);
