/* All pairs of binary16 numbers: their exact sums, rounded, against a definition of two lines.
 *
 * Each finite number is a multiple of 2^-24 below 2^16, so that a sum of two has at most 41 bits and is exact in a
 * double.
 */
#ifndef ULPSCOPE_TESTS_BINARY16_H
#define ULPSCOPE_TESTS_BINARY16_H

#include "reference/rounding.h"
#include "tests/support/random.h"

#include <math.h>

/* Encodings of finite numbers: those of either sign are [0, BINARY16_FINITE), then come infinity and NaN. */
enum { BINARY16_FINITE = 0x7c00, BINARY16_SIGN = 0x8000, BINARY16_FRACTION_BITS = 10 };

typedef double rounding_function(const mpfr_t value, const struct format *format);

static inline double binary16_value(unsigned encoding)
{
    const int field = (int)(encoding >> BINARY16_FRACTION_BITS & 0x1f), fraction = (int)(encoding & 0x3ff);
    const double magnitude = field == 0 ? ldexp(fraction, -24) : ldexp(0x400 + fraction, field - 25);
    return encoding & BINARY16_SIGN ? -magnitude : magnitude;
}

/* The definition: the nearest multiple of the spacing q = 2^max(-24, e-10), where 2^e <= |s| < 2^(e+1); infinity from
 * the middle of 65504, the largest number, and the next power of two on. */
static inline double binary16_nearest(double s)
{
    const double q = ldexp(1, (int)fmax(-24, logb(s) - 10));
    return fabs(s) >= 65520 ? copysign(INFINITY, s) : rint(s / q) * q;
}

/* In how many of the `count` pairs of a with the numbers b[0..count) the rounded sum is not what the definition says.
 * `sum` is the caller's, of 53 bits at least. */
static inline uint64_t binary16_sums_missed(double a, const double *b, size_t count, rounding_function *round,
                                            mpfr_t sum)
{
    uint64_t missed = 0;
    for (size_t i = 0; i < count; i++) {
        const double s = a + b[i];
        const int inexact = mpfr_set_d(sum, s, MPFR_RNDN);
        missed += inexact || double_bits(round(sum, &FORMAT_BINARY16)) != double_bits(binary16_nearest(s));
    }
    return missed;
}

#endif
