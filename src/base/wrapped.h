/* Sums of integers that wrap around, as those of narrow types do.
 *
 *   100 + 100 in 8 bits: 200 of numbers without a sign, -56 of those with one
 */
#pragma once

#include "format.h"

#include <math.h>

/* The last `width` bits, 32 at most, of the sum of the integer parts; it is the same in any order. */
static inline double wrapped_sum(const double *x, uint64_t n, unsigned width, bool has_sign)
{
    const double modulus = ldexp(1, (int)width);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += isfinite(x[i]) ? (uint64_t)(int64_t)fmod(trunc(x[i]), modulus) : 0;
    const double wrapped = integer_of_bits(sum, width);
    return wrapped < 0 && !has_sign ? wrapped + modulus : wrapped;
}
