#include "ratio.h"

/* The upper 64 bits of a and b say what a / b is to 2^-62 of it, from below and from above.  Both round up to the same
 * number nearly always, which is it; else the lower is it where lower b >= a, which integers decide.
 */

/* x = (top + rest) 2^exponent, 2^63 <= top < 2^64, 0 <= rest < 1 */
struct leading {
    uint64_t top;
    bool rest;
    int exponent;
};

static struct leading leading_of(const uint64_t *x, int length)
{
    const int below = length - 64;
    if (below < 0)
        return (struct leading){x[0] << -below, false, below};
    return (struct leading){limbs_top(x, length, below), limbs_rest(x, below), below};
}

static double up(limbs_wide quotient, int exponent)
{
    const uint64_t limbs[] = {(uint64_t)quotient, (uint64_t)(quotient >> 64)};
    return limbs_round(limbs, limbs_length(limbs, 2), exponent, &FORMAT_BINARY64, LIMBS_UP);
}

uint64_t significand_of(double number, int *place)
{
    const uint64_t bits = double_bits(number);
    const int field = bits >> 52 & 0x7ff;
    *place = (field > 0 ? field - 1 : 0) + FORMAT_BINARY64.least_exponent;
    return (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(field > 0) << 52;
}

/* Whether q b >= a 2^exponent; q is a number near their quotient, so that both have about the same length. */
static bool is_at_least(double q, const uint64_t *b, const uint64_t *a, unsigned n, int exponent)
{
    uint64_t difference[RATIO_LIMBS_MOST + 8];
    const unsigned size = n + 8; /* both are as long as the longer, and no longer than 53 bits more */
    int place;
    memset(difference, 0, size * sizeof difference[0]);
    const uint64_t m = significand_of(q, &place);
    place -= exponent;
    for (unsigned i = 0; i < n; i++) {
        const limbs_wide product = (limbs_wide)m * b[i];
        const unsigned bit_b = 64 * i + (place > 0 ? (unsigned)place : 0),
                       bit_a = 64 * i + (place < 0 ? (unsigned)-place : 0);
        limbs_add_word(difference, size, (uint64_t)product, bit_b, false);
        limbs_add_word(difference, size, (uint64_t)(product >> 64), bit_b + 64, false);
        limbs_add_word(difference, size, a[i], bit_a, true);
    }
    return !limbs_negative(difference, size);
}

double ratio_up(const uint64_t *a, const uint64_t *b, unsigned n, int exponent, double of_zeros)
{
    const int length_a = limbs_length(a, n), length_b = limbs_length(b, n);
    if (length_a == 0 || length_b == 0)
        return length_b > 0 ? 0 : length_a == 0 ? of_zeros : INFINITY;
    const struct leading x = leading_of(a, length_a), y = leading_of(b, length_b);
    const int unit = x.exponent - y.exponent - 63 + exponent;
    const limbs_wide least = ((limbs_wide)x.top << 63) / ((limbs_wide)y.top + y.rest),
                     most = (((limbs_wide)x.top + x.rest) << 63) + (y.top - 1);
    const double above = up(most / y.top, unit);
    if (!x.rest && !y.rest)
        return above;
    const double below = up(least, unit);
    return below < above && is_at_least(below, b, a, n, exponent) ? below : above;
}
