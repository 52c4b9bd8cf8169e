/* One element of a product of matrices, exactly, as a thread of a GPU computes it; of matrix_kernel.cu and of the test
 * that runs it on the host.  It shares nothing with matrix.c: not how products are added, and not how sums are rounded.
 *
 * P and N, the sums of the positive products and of the negative ones, are integers in digits of 32 bits.  A product is
 * an integer, too, which is shifted to its place and added word by word:
 *
 *   product     m 2^(place + 2 least), place = 32 d + shift
 *   digit d + w += word w of m 2^shift, and the carry of the digit below
 *
 *   binary32 1.5 1.5  m = (3 2^22)^2 = 9 2^44, place 126 + 126 = 252 = 32 7 + 28: 9 2^72 is 0, 0, 9 2^8
 *                     digit 9 += 9 2^8, which is worth 2^(32 9 + 8 - 298): 9 2^-2
 *
 * The last word of a binary32 product is less than 2^15, of a binary64 one less than 2^9: seldom is there a carry out of
 * it, and seldom a loop.  There are digits for 2^54 products (binary64 2^60).
 */
#ifndef ULPSCOPE_MATRIX_DIGITS_H
#define ULPSCOPE_MATRIX_DIGITS_H

#include "matrix_kernel.h"

#include <math.h>

/* How often nvcc repeats the body of a loop: where it chose itself, it took all registers for loops that cost little. */
#ifdef __CUDA_ARCH__
#define PRAGMA_TEXT(text) _Pragma(#text)
#define UNROLLED(times) PRAGMA_TEXT(unroll times)
#else
#define UNROLLED(times)
#endif

enum { DIGIT_BITS = 32 };

/* The numbers of A and B, and the digits of P and N. */
struct digits_grid {
    unsigned fraction_bits, fields; /* of their encoding */
    int least;                      /* exponent of the least subnormal */
    unsigned words;                 /* of a shifted product */
    unsigned digits;
};

PORTABLE struct digits_grid digits_grid_of(bool is_binary64)
{
    const struct digits_grid binary32 = {23, 256, -149, 3, 19}, binary64 = {52, 2048, -1074, 5, 133};
    return is_binary64 ? binary64 : binary32;
}

/* Those of an element; between them lie those of neighbouring threads: P's digit d is at 2 d stride, N's behind it. */
struct digits {
    uint32_t *lowest;
    unsigned stride;
};

PORTABLE uint32_t *digit_of(struct digits of, unsigned digit, bool negative)
{
    return of.lowest + (2 * digit + negative) * of.stride;
}

/* ---- products ---- */

struct factor {
    uint64_t significand;
    uint32_t place;
    bool negative, special;
};

PORTABLE struct factor factor_of(struct digits_grid grid, uint64_t bits)
{
    const uint64_t hidden = (uint64_t)1 << grid.fraction_bits;
    const uint32_t top = (uint32_t)(bits >> grid.fraction_bits), field = top & (grid.fields - 1);
    struct factor factor;
    factor.significand = (bits & (hidden - 1)) | (field > 0 ? hidden : 0);
    factor.place = field > 0 ? field - 1 : 0;
    factor.negative = top >= grid.fields;
    factor.special = field == grid.fields - 1;
    return factor;
}

/* x y in four words, from the lowest on; x, y < 2^53. */
PORTABLE void multiply_words(uint64_t x, uint64_t y, uint32_t product[4])
{
    const uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    const uint64_t low = x0 * y0, first = x1 * y0 + (low >> 32), second = x0 * y1 + (uint32_t)first;
    const uint64_t high = x1 * y1 + (first >> 32) + (second >> 32);
    product[0] = (uint32_t)low;
    product[1] = (uint32_t)second;
    product[2] = (uint32_t)high;
    product[3] = (uint32_t)(high >> 32);
}

PORTABLE void add_product(struct digits_grid grid, struct digits to, struct factor x, struct factor y)
{
    const uint32_t place = x.place + y.place, shift = place % DIGIT_BITS;
    uint32_t *digit = digit_of(to, place / DIGIT_BITS, x.negative != y.negative), product[4], below = 0;
    uint64_t carry = 0;
    multiply_words(x.significand, y.significand, product);
    for (unsigned w = 0; w < grid.words; w++, digit += 2 * to.stride) {
        const uint32_t word = w + 1 < grid.words ? product[w] : 0;
        carry += *digit + ((((uint64_t)word << 32 | below) << shift) >> 32);
        *digit = (uint32_t)carry;
        carry >>= DIGIT_BITS;
        below = word;
    }
    for (; carry > 0; digit += 2 * to.stride) {
        *digit += 1;
        carry = *digit == 0;
    }
}

PORTABLE double number_at(bool is_binary64, const void *numbers, uint64_t i)
{
    return is_binary64 ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

PORTABLE uint64_t bits_at(bool is_binary64, const void *numbers, uint64_t i)
{
    return is_binary64 ? double_bits(((const double *)numbers)[i]) : float_bits(((const float *)numbers)[i]);
}

/* The next numbers of a row and a column, loaded before the ones before them are multiplied; 0 beyond their ends. */
enum { GROUP = 4 };
struct group {
    uint64_t x[GROUP], y[GROUP];
};

PORTABLE struct group load_group(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j, uint64_t k)
{
    struct group group;
    UNROLLED(GROUP)
    for (unsigned g = 0; g < GROUP; g++) {
        const bool is_there = k + g < part->inner;
        group.x[g] = is_there ? bits_at(is_binary64, part->a, i * part->inner + k + g) : 0;
        group.y[g] = is_there ? bits_at(is_binary64, part->b, (k + g) * part->columns + j) : 0;
    }
    return group;
}

/* Adds all products of an element to digits that are 0.  Whether there were infinities and NaNs: then the digits mean
 * nothing. */
PORTABLE bool add_products(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j, struct digits to)
{
    const struct digits_grid grid = digits_grid_of(is_binary64);
    struct group next = load_group(part, is_binary64, i, j, 0);
    bool any_special = false;
    for (uint64_t k = 0; k < part->inner; k += GROUP) {
        const struct group group = next;
        next = load_group(part, is_binary64, i, j, k + GROUP);
        UNROLLED(GROUP)
        for (unsigned g = 0; g < GROUP; g++) {
            const struct factor x = factor_of(grid, group.x[g]), y = factor_of(grid, group.y[g]);
            add_product(grid, to, x, y);
            any_special |= x.special | y.special;
        }
    }
    return any_special;
}

/* ---- sums ---- */

/* P, N and what was computed, significand 2^place units, each of them times -1, 0 or 1. */
struct combination {
    int positive, negative, computed;
    uint64_t significand;
    int place;
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

PORTABLE int64_t column_of(struct digits_grid grid, struct digits of, struct combination sum, int d)
{
    int64_t column = sum.computed * (int64_t)digit_of_word(sum.significand, sum.place, d);
    if (d >= 0 && d < (int)grid.digits) {
        column += sum.positive * (int64_t)*digit_of(of, (unsigned)d, false);
        column += sum.negative * (int64_t)*digit_of(of, (unsigned)d, true);
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
PORTABLE struct leading leading_of(struct digits_grid grid, struct digits of, struct combination sum)
{
    const int low = sum.place / DIGIT_BITS - 1, high = sum.place / DIGIT_BITS + 4; /* round what was computed */
    const int from = low < 0 ? low : 0, to = high > (int)grid.digits ? high : (int)grid.digits + 1;
    for (int sign = 1;; sign = -1) {
        uint32_t found[3] = {0, 0, 0}, first = 0, second = 0; /* those just below */
        bool any_below = false, any_below_found = false;
        int place = 0;
        int64_t carry = 0;
        UNROLLED(1)
        for (int d = from; d < to; d++) {
            carry += sign * column_of(grid, of, sum, d);
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
            struct leading leading = leading_of_digits(found, any_below_found, DIGIT_BITS * place + 2 * grid.least);
            leading.negative = sign < 0;
            return leading;
        }
    }
}

/* ---- rounding ---- */

enum digits_direction { DIGITS_NEAREST, DIGITS_UP };

/* |x| in the format, in one rounding: the bits that it keeps, which end at the least subnormal, and half a unit of the
 * last of them that those behind are compared with. */
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

/* ---- the element ---- */

PORTABLE bool is_finite_number(double x)
{
    return x - x == 0;
}

/* By IEEE 754, of the products that an infinity or a NaN is a factor of; there is one. */
PORTABLE struct exact_element special_element(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j)
{
    double sum = 0;
    for (uint64_t k = 0; k < part->inner; k++) {
        const double x = number_at(is_binary64, part->a, i * part->inner + k),
                     y = number_at(is_binary64, part->b, k * part->columns + j);
        sum += is_finite_number(x) && is_finite_number(y) ? 0 : x * y;
    }
    const double magnitude = sum < 0 ? -sum : sum, none = (double)NAN;
    const struct exact_element element = {sum == sum ? EXACT_INF : EXACT_NAN, sum, none, magnitude, none, 0};
    return element;
}

/* computed - s, rounded away from 0 */
PORTABLE double error_of_computed(struct digits_grid grid, struct digits of, double computed)
{
    const struct format binary64 = {"binary64", 8, DBL_MANT_DIG, -1074, DBL_MAX_EXP, false};
    const struct factor number = factor_of(digits_grid_of(true), double_bits(computed));
    const struct combination error = {-1, 1, number.negative ? -1 : 1, number.significand,
                                      (int)number.place + digits_grid_of(true).least - 2 * grid.least};
    const struct leading leading = leading_of(grid, of, error);
    const double magnitude = rounded_leading(leading, &binary64, DIGITS_UP);
    return leading.negative ? -magnitude : magnitude;
}

/* Whether products that are all zeros sum to -0: each of them is one, and there is one. */
PORTABLE bool is_negative_zero(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j)
{
    const struct digits_grid grid = digits_grid_of(is_binary64);
    bool all_negative = part->inner > 0;
    for (uint64_t k = 0; k < part->inner && all_negative; k++)
        all_negative = factor_of(grid, bits_at(is_binary64, part->a, i * part->inner + k)).negative !=
                       factor_of(grid, bits_at(is_binary64, part->b, k * part->columns + j)).negative;
    return all_negative;
}

/* Element (i, j) of a part, by digits that may hold anything. */
PORTABLE struct exact_element digits_element(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j,
                                             struct digits digits)
{
    const struct format binary64 = {"binary64", 8, DBL_MANT_DIG, -1074, DBL_MAX_EXP, false};
    const struct digits_grid grid = digits_grid_of(is_binary64);
    const struct combination sum = {1, -1, 0, 0, 0}, sum_abs = {1, 1, 0, 0, 0};
    const bool is_judged = part->computed != NULL, is_wide = part->result.precision > FLT_MANT_DIG;
    const double computed = is_judged ? number_at(is_wide, part->computed, i * part->columns + j) : 0;
    struct exact_element element;
    for (unsigned d = 0; d < grid.digits; d++)
        *digit_of(digits, d, false) = *digit_of(digits, d, true) = 0;
    if (add_products(part, is_binary64, i, j, digits)) {
        element = special_element(part, is_binary64, i, j);
        element.error = is_judged ? computed - element.nearest : 0;
        return element;
    }
    const struct leading s = leading_of(grid, digits, sum), s_abs = leading_of(grid, digits, sum_abs);
    const bool negative = s_abs.bits > 0 ? s.negative : is_negative_zero(part, is_binary64, i, j);
    element.kind = EXACT_FINITE;
    element.nearest = rounded_leading(s, &part->result, DIGITS_NEAREST);
    element.nearest = negative ? -element.nearest : element.nearest;
    element.ulp = ulp_of_leading(s, &part->result);
    element.abs_above = rounded_leading(s, &binary64, DIGITS_UP);
    element.sum_abs_above = rounded_leading(s_abs, &binary64, DIGITS_UP);
    element.error = computed;
    if (is_judged && is_finite_number(computed))
        element.error = error_of_computed(grid, digits, computed);
    return element;
}

#endif
