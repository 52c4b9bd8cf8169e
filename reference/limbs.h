/* Integers of 64-bit limbs, least significant first, and their one rounding to a format.  Header only.
 *
 *   limbs 3 0, unit -1:   1.5      in binary16 1.5; upwards to a format of one bit 2
 *
 * Where a result may be negative it is one modulo 2^(64 n), and limbs_negative says so.
 */
#pragma once

#include "src/base/fp.h"

#include <math.h>

__extension__ typedef unsigned __int128 limbs_wide;

static inline void limbs_add(uint64_t *sum, const uint64_t *x, const uint64_t *y, unsigned n)
{
    unsigned carry = 0;
    for (unsigned i = 0; i < n; i++) {
        const limbs_wide both = (limbs_wide)x[i] + y[i] + carry;
        sum[i] = (uint64_t)both;
        carry = (unsigned)(both >> 64);
    }
}

static inline void limbs_subtract(uint64_t *difference, const uint64_t *x, const uint64_t *y, unsigned n)
{
    unsigned borrow = 0;
    for (unsigned i = 0; i < n; i++) {
        const limbs_wide both = (limbs_wide)x[i] - y[i] - borrow;
        difference[i] = (uint64_t)both;
        borrow = (unsigned)(both >> 64) & 1;
    }
}

static inline bool limbs_negative(const uint64_t *x, unsigned n)
{
    return x[n - 1] >> 63;
}

static inline void limbs_negate(uint64_t *x, unsigned n)
{
    unsigned carry = 1;
    for (unsigned i = 0; i < n; i++) {
        x[i] = ~x[i] + carry;
        carry = carry && x[i] == 0;
    }
}

/* Adds or subtracts word 2^bit; bit / 64 + 1 < n. */
static inline void limbs_add_word(uint64_t *x, unsigned n, uint64_t word, unsigned bit, bool subtract)
{
    const limbs_wide shifted = (limbs_wide)word << bit % 64;
    uint64_t part[2] = {(uint64_t)shifted, (uint64_t)(shifted >> 64)};
    unsigned carry = 0;
    for (unsigned k = 0, i = bit / 64; i < n && (k < 2 || carry); k++, i++) {
        const uint64_t term = k < 2 ? part[k] : 0;
        const limbs_wide both = subtract ? (limbs_wide)x[i] - term - carry : (limbs_wide)x[i] + term + carry;
        x[i] = (uint64_t)both;
        carry = (unsigned)(both >> 64) & 1;
    }
}

/* 2^(length - 1) <= x < 2^length; 0 for 0. */
static inline int limbs_length(const uint64_t *x, unsigned n)
{
    while (n > 0 && x[n - 1] == 0)
        n--;
    return n == 0 ? 0 : (int)n * 64 - __builtin_clzll(x[n - 1]);
}

/* Bits from `bit` up to x's length, which are no more than 64. */
static inline uint64_t limbs_top(const uint64_t *x, int length, int bit)
{
    const int i = bit / 64, shift = bit % 64;
    const uint64_t above = shift > 0 && (i + 1) * 64 < length ? x[i + 1] << (64 - shift) : 0;
    return x[i] >> shift | above;
}

/* Whether x is no multiple of 2^bit. */
static inline bool limbs_rest(const uint64_t *x, int bit)
{
    int i = 0;
    for (; i < bit / 64; i++)
        if (x[i] != 0)
            return true;
    return bit % 64 > 0 && x[i] << (64 - bit % 64) != 0;
}

enum limbs_direction {
    LIMBS_NEAREST, /* ties to even */
    LIMBS_UP,      /* x is never negative here */
};

/* What the bits below `dropped` <= length add to those above, whose last is odd or not. */
static inline bool limbs_round_up(const uint64_t *x, int dropped, bool odd, enum limbs_direction direction)
{
    if (direction == LIMBS_UP)
        return limbs_rest(x, dropped);
    const int half = dropped - 1;
    return x[half / 64] >> half % 64 & 1 && (odd || limbs_rest(x, half));
}

/* x 2^unit, of a length as above, to a number of the format: p bits, fewer for a subnormal, none below the least of
 * them.  They end at the least subnormal, so that one rounding to so many bits is the whole of it.  Infinite from
 * 2^overflow_exponent on, which is looked for after rounding. */
static inline double limbs_round(const uint64_t *x, int length, int unit, const struct format *format,
                                 enum limbs_direction direction)
{
    const int above_least = length + unit - format->least_exponent;
    const int kept = above_least < format->precision ? above_least : format->precision;
    if (length == 0 || (kept < 0 && direction == LIMBS_NEAREST)) /* below half of the least subnormal */
        return 0;
    if (kept < 0)
        return double_scaled(1, format->least_exponent);
    const int dropped = length > kept ? length - kept : 0;
    uint64_t significand = kept > 0 ? limbs_top(x, length, dropped) : 0;
    if (dropped > 0)
        significand += limbs_round_up(x, dropped, significand & 1, direction);
    const int top = dropped > 0 && significand >> kept ? length + unit + 1 : length + unit;
    return top > format->overflow_exponent ? INFINITY : double_scaled((double)significand, unit + dropped);
}
