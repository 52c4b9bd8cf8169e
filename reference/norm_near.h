/* A layer norm's element, or that of an RMS norm, as a pair (near.h): x less the mean, times what all of its row are
 * times.
 *
 *   {1, 3}: s = 4, n x - s = -2 and 2, times 1 / root(n sum x^2 - s^2) = 1/2 */
#pragma once

#include "near.h"

#include <math.h>

/* n x and s are exact, or s to 2^-104, what is small is added with 4 roundings of 2^-53 of 2^-52 of the terms; the
 * factor is known to 2^-102, and its product loses 2^-100 at most. */
static inline struct near near_of_norm(struct pair times, struct pair of_sum, struct pair factor)
{
    const struct pair difference = pair_sum(times.high, -of_sum.high);
    const struct pair numerator = pair_sum(difference.high, difference.low + (times.low - of_sum.low));
    const struct pair product = pair_product(numerator.high, factor.high);
    const double low = product.low + (numerator.high * factor.low + numerator.low * factor.high);
    const double terms = (fabs(times.high) + fabs(of_sum.high)) * factor.high;
    return (struct near){pair_sum(product.high, low), 0x1p-97 * fabs(product.high) + 0x1p-99 * terms};
}

/* The range of products of halves. */
static inline bool norm_is_near(struct pair factor, double x)
{
    return factor.high < 0x1p400 && factor.high > 0x1p-400 && fabs(x) < 0x1p400;
}
