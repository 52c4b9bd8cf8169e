/* The theorems of kernels/accumulators, for callers that have no method: any tree of a height (docs/bounds.md). */
#pragma once

#include "src/base/fp.h"

/* |s| and sum |x_i|, rounded up; every term has one more rounding where it is a product, which may be fused into its
 * addition or not, or a number that the format which is added in does not have. */
struct bounded {
    uint64_t n, height;
    double abs_s, sum_abs;
    bool rounds_terms, is_finite; /* is_finite: the result, of plain additions */
    const struct format *result;
};

/* That of an accumulator that adds in a format.  NaN where there is none of this name. */
double bound_of(const char *accumulator, const struct format *added, const struct bounded *of);

/* Of a finite result of plain additions in a tree of a height (n: in any order), of terms of a format, which are
 * products or not. */
double bound_in_tree(bool products, const struct format *terms, const struct format *added, const struct format *result,
                     uint64_t n, uint64_t height, double abs_s, double sum_abs);
