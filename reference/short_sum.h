/* The exact sum of few numbers and what was computed of them, for callers that have millions of such sums: a fraction
 * of a microsecond for 64 numbers, and nothing is allocated.  exact_sum() says the same, and tests hold both together.
 *
 *   1 2^-60 -1, computed 0:   s 2^-60, error 2^-60, sum_abs 2 + 2^-60, rounded up to 2 + 2^-51
 */
#pragma once

#include "src/base/fp.h"

struct short_sum {
    double abs_above, sum_abs_above, max_abs; /* |s| and sum |x_i|, exact, then rounded up once; max |x_i| */
    double ulp;                               /* spacing of the result's format at s, as exact_ulp() has it */
    double error;                             /* |computed - s|, exact, then rounded up once: 0 only if it is 0 */
};

/* Of x[0..n), n < 2^31, finite numbers as `held` is, binary32 or binary64, and of a finite `computed`, whose format is
 * `result`. */
struct short_sum exact_short_sum(const struct format *held, const void *x, uint64_t n, const struct format *result,
                                 double computed);
