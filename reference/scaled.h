/* An exact value > 0 as an integer of 126 bits and what it may be off by: most roundings need no more to be decided,
 * also those of binary64, whose numbers leave nothing to a pair (near.h).
 *
 *   1/3 = (0x1555..55 +- 1) 2^-127 */
#pragma once

#include "exact_element.h"
#include "limbs.h"

#include <gmp.h>
#include <mpfr.h>

#include <stdbool.h>

enum { SCALED_BITS = 126 };

/* The value is (integer +- off) 2^exponent and, where off is not 0, neither end of that; 2^125 <= integer < 2^126, or
 * integer = 0: nothing is known. */
struct scaled {
    limbs_wide integer;
    int exponent;
    limbs_wide off;
};

/* Of a value from low to high, or one that both are. */
struct scaled scaled_between(const mpfr_t low, const mpfr_t high);

/* Of one below 2^128. */
limbs_wide scaled_integer(const mpz_t integer);

/* |x| in units of 2^exponent, rounded down, modulo 2^128. */
static inline limbs_wide scaled_units(double x, int exponent)
{
    const uint64_t bits = double_bits(fabs(x)), field = bits >> 52;
    const int shift = (int)(field ? field : 1) - 1075 - exponent;
    const uint64_t significand = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(field > 0) << 52;
    return shift >= 0 ? (limbs_wide)significand << shift : shift > -64 ? significand >> -shift : 0;
}

/* integer 2^exponent, rounded up. */
double scaled_above(limbs_wide integer, int exponent);

/* All of `element` but sum_abs_above, of a result of the format that is held to the value, or to its negative.  The
 * error is up to 2^-30 of it larger than it is, or rounded up to the next of the least numbers.  False where `off`
 * leaves anything of it open. */
bool scaled_element(const struct scaled *scaled, bool is_negative, const struct format *result, double computed,
                    struct exact_element *element);
