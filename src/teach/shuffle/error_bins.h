/* A histogram of signed errors, whose middle bin is around the exact sum.
 *
 *   errors -1.3, -0.3, 0.7 in bins of 1    -1: 1    0: 1    1: 1
 *
 * Bin k counts [(k - 1/2) width, (k + 1/2) width).
 */
#pragma once

#include "shuffle.h"

struct error_bins {
    double first, width; /* the middle of bin i is (first + i) width; first is whole */
    size_t count;
    uint64_t *counts; /* they add up to the permutations with a finite error */
};

/* 1, 2, 5, 10 ... units, so that no more than `most` bins of it reach from the one error to the other. */
double error_bins_width(double least, double most_error, size_t most);

/* No bin when no error is finite. */
void error_bins_make(const struct shuffled_method *of, double width, struct error_bins *bins);
void error_bins_free(struct error_bins *bins);

/* The finite errors' range; false when there is none. */
bool error_range(const struct shuffled_method *of, double *least, double *most);

/* What the model sigma lets expect in bin i; NaN: there is no such model, or it has no width. */
double error_bins_expected(const struct shuffled_method *of, const struct error_bins *bins, size_t i);
