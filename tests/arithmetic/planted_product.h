/* Products computed by models that a seed draws, in integers of 64 bits, and products of no model: what the search of
 * src/arithmetic is held to.  Nothing here is shared with it. */
#ifndef ULPSCOPE_TESTS_PLANTED_PRODUCT_H
#define ULPSCOPE_TESTS_PLANTED_PRODUCT_H

#include "src/arithmetic/arithmetic.h"

/* How a rounding goes, by what it does to magnitudes or to numbers. */
enum planted_way { CUT, TO_MINUS, TO_PLUS, TIES_EVEN, TIES_AWAY };

struct planted_model {
    const struct sum_format *formats;
    int terms, fraction, floor, output; /* of a block */
    enum planted_way alignment, rounding;
    int period;   /* blocks that are chained; 0: all */
    bool pairs;   /* parts are added pairwise */
    int addition; /* 0: nearest, 1: cut, 2: Kahan */
    int input;    /* 0: as stored; of binary32: 1 cut, 2 ties to even, 3 ties away, to 11 bits */
    bool own_exponents, minus_zero;
    bool rounded_parts; /* to the result's format */
    int other_fraction; /* of every second block: a fault; 0: none */
};

double planted_element(const struct planted_model *model, const double *a, const double *b, int terms);

#endif
