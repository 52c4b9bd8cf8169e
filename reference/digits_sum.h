/* From digits to numbers of a format: an integer's first 64 bits, and whether any lie below them, say how it is
 * rounded. limbs.h, which the host's reference rounds by, has no part in it.
 *
 *   digits 1, 0, 1 from the lowest on, unit -64:  1 + 2^-64
 *   its first 64 bits are 2^63, one lies below:   1 in binary64, upwards 1 + 2^-52
 */
#pragma once

#include "digits.h"

#include <math.h>

/* ---- sums ---- */

/* P, N and what was computed, significand 2^place units, each of them times -1, 0 or 1. */
struct combination {
    int positive, negative, computed;
    uint64_t significand;
    int place;
};

/* What they are made of: so many digits, of which the lowest bit is worth 2^unit. */
struct sums {
    struct digits digits;
    unsigned count;
    int unit;
};

/* An integer, seen from its first bit: 2^(exponent - 63) (bits + what is below 1), if any bits are below. */
struct leading {
    uint64_t bits; /* the highest is 1; all 0 only where the integer is */
    bool any_below, negative;
    int exponent;
};

/* Digit d of word 2^place. */
PORTABLE uint32_t digit_of_word(uint64_t word, int place, int d)
{
    const int shift = place - DIGIT_BITS * d;
    if (shift <= -64 || shift >= DIGIT_BITS)
        return 0;
    return (uint32_t)(shift < 0 ? word >> -shift : word << shift);
}

PORTABLE int64_t column_of(const struct sums *of, struct combination sum, int d)
{
    int64_t column = sum.computed * (int64_t)digit_of_word(sum.significand, sum.place, d);
    if (d >= 0 && d < (int)of->count) {
        column += sum.positive * (int64_t)*digit_of(of->digits, (unsigned)d, false);
        column += sum.negative * (int64_t)*digit_of(of->digits, (unsigned)d, true);
    }
    return column;
}

/* Of 32-bit digits, the first not 0; `exponent` is that of the lowest bit of the first. */
PORTABLE struct leading leading_of_digits(const uint32_t digits[3], bool any_below, int exponent)
{
    uint64_t bits = (uint64_t)digits[0] << 32 | digits[1];
    uint32_t low = digits[2];
    struct leading leading = {0, false, false, exponent + 31};
    for (; bits > 0 && !(bits >> 63); leading.exponent--) {
        bits = bits << 1 | low >> 31;
        low <<= 1;
    }
    leading.bits = bits;
    leading.any_below = any_below || low > 0;
    return leading;
}

/* A long addition from the lowest digit on, which remembers the last digit that was not 0 and what lay below it.  Where
 * it ends with a borrow, the integer is negative, and the same is done with its opposite. */
PORTABLE struct leading leading_of(const struct sums *of, struct combination sum)
{
    const int low = sum.place / DIGIT_BITS - 1, high = sum.place / DIGIT_BITS + 4; /* round what was computed */
    const int from = low < 0 ? low : 0, to = high > (int)of->count ? high : (int)of->count;
    for (int sign = 1;; sign = -1) {
        uint32_t found[3] = {0, 0, 0}, first = 0, second = 0; /* those just below */
        bool any_below = false, any_below_found = false;
        int place = 0;
        int64_t carry = 0;
        UNROLLED(1)
        for (int d = from; d < to; d++) {
            carry += sign * column_of(of, sum, d);
            const uint32_t digit = (uint32_t)carry;
            carry >>= DIGIT_BITS;
            if (digit > 0) {
                found[0] = digit;
                found[1] = first;
                found[2] = second;
                any_below_found = any_below;
                place = d;
            }
            any_below |= second > 0;
            second = first;
            first = digit;
        }
        if (carry == 0) {
            struct leading leading = leading_of_digits(found, any_below_found, DIGIT_BITS * place + of->unit);
            leading.negative = sign < 0;
            return leading;
        }
    }
}

/* ---- rounding ---- */

enum digits_direction { DIGITS_NEAREST, DIGITS_UP };

/* |x| in the format, in one rounding: the bits that are kept end at the least subnormal, and those that are dropped,
 * moved to the top of a word, are compared with half a unit of the last that is kept.  Where not even the first bit of
 * x is within reach of the least subnormal, they stand for less than half. */
PORTABLE double rounded_leading(struct leading x, const struct format *format, enum digits_direction direction)
{
    const int above_least = x.exponent + 1 - format->least_exponent;
    const int kept = above_least < format->precision ? above_least : format->precision;
    const uint64_t half = (uint64_t)1 << 63, dropped = kept > 0 ? x.bits << kept : kept == 0 ? x.bits : 1;
    const int last = kept > 0 ? x.exponent + 1 - kept : format->least_exponent;
    uint64_t significand = kept > 0 ? x.bits >> (64 - kept) : 0;
    if (x.bits == 0)
        return 0;
    if (direction == DIGITS_UP)
        significand += dropped > 0 || x.any_below;
    else
        significand += dropped > half || (dropped == half && (x.any_below || (significand & 1)));
    const bool carried = kept > 0 && significand >> kept;
    return x.exponent + carried >= format->overflow_exponent ? (double)INFINITY
                                                             : double_scaled((double)significand, last);
}

PORTABLE double ulp_of_leading(struct leading x, const struct format *format)
{
    const int last = x.exponent + 1 - format->precision;
    const int exponent = x.bits > 0 && last > format->least_exponent ? last : format->least_exponent;
    return exponent < DBL_MAX_EXP ? double_scaled(1, exponent) : (double)INFINITY;
}
