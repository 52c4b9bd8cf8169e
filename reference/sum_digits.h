/* Exact sums of numbers in a GPU's memory, in digits of 32 bits with room for 64, as a lane of a warp adds them; both
 * compilers read it, and tests run it on the host.  It shares nothing with bins.c, which adds the same numbers by
 * exponent.
 *
 * A number is m 2^(field + unit), its field that of the exponent, 1 for a subnormal.  It goes to the digit that its
 * lowest bit lies in, and is shifted there.  Significands up to 24 bits need one addition, wider ones a part of 32 bits
 * to each of three digits:
 *
 *   binary32 1.5    m = 3 2^22, field 127 = 32 3 + 31: digit 3 += 3 2^53, which is worth 2^(53 + 96 - 150)
 *   binary64 1.5    m = 3 2^51, field 1023 = 32 31 + 31: 3 2^82 is 0, 0 and 3 2^18: digit 33 += 3 2^18
 *
 * Positive numbers and negative ones have digits of their own, P and N.  A digit never runs over: so many numbers are
 * less than 2^64 - 2^33 in it, and then what is above its 32 bits is carried (sum_room).  What a sum is said of beside
 * is words as well, counts and magnitudes, so that lanes, warps and blocks are put together word by word: all words but
 * the last two by addition, these by the larger one.
 */
#pragma once

#include "src/base/fp.h"

enum { SUM_DIGIT_BITS = 32 };

/* Behind the digits of P and N.  Magnitudes are of finite numbers other than 0, as bits that grow with them. */
enum sum_note {
    SUM_NANS,
    SUM_POSITIVE_INFINITIES,
    SUM_NEGATIVE_INFINITIES,
    SUM_NEGATIVE_ZEROS,
    SUM_SUBNORMALS,
    SUM_LARGEST, /* 0: there is none */
    SUM_LEAST,   /* UINT64_MAX - the least; nothing where there is none */
    SUM_NOTES
};
enum { SUM_DIGITS_MOST = 66, SUM_WORDS_MOST = 2 * SUM_DIGITS_MOST + SUM_NOTES }; /* binary64 */

/* ---- what depends on the format ---- */

struct sum_layout {
    unsigned bytes, fraction_bits, fields; /* of an encoding */
    bool finite_only, products;
    unsigned significand_bits, digits; /* of what is added: a number or a product */
};

/* Products of all formats but binary64, whose digits would leave room for 100 lanes in a multiprocessor. */
PORTABLE struct sum_layout sum_layout_of(unsigned bytes, unsigned fraction_bits, bool finite_only, bool products)
{
    const unsigned fields = 1u << (8 * bytes - 1 - fraction_bits), factors = products ? 2 : 1;
    const unsigned last = finite_only ? fields - 1 : fields - 2, significand_bits = factors * (fraction_bits + 1);
    const struct sum_layout layout = {bytes,
                                      fraction_bits,
                                      fields,
                                      finite_only,
                                      products,
                                      significand_bits,
                                      (factors * last + significand_bits + SUM_DIGIT_BITS - 1) / SUM_DIGIT_BITS};
    return layout;
}

/* Exponent of the least normal number. */
PORTABLE int sum_least_normal(struct sum_layout layout)
{
    return 2 - (int)layout.fields / 2;
}

/* A digit's lowest bit, of the first, is worth 2^unit. */
PORTABLE int sum_unit(struct sum_layout layout)
{
    const int of_number = sum_least_normal(layout) - (int)layout.fraction_bits - 1;
    return layout.products ? 2 * of_number : of_number;
}

PORTABLE unsigned sum_words(struct sum_layout layout)
{
    return 2 * layout.digits + SUM_NOTES;
}

PORTABLE unsigned sum_word_of(struct sum_layout layout, enum sum_note note)
{
    return 2 * layout.digits + (unsigned)note;
}

/* How two sums become one. */
PORTABLE uint64_t sum_merged(struct sum_layout layout, unsigned word, uint64_t a, uint64_t b)
{
    return word < sum_word_of(layout, SUM_LARGEST) ? a + b : a > b ? a : b;
}

PORTABLE bool sum_is_one_addition(struct sum_layout layout)
{
    return layout.significand_bits <= 24;
}

/* Numbers that a lane adds before it carries: shifted they are less than 2^(bits + 31). */
PORTABLE uint64_t sum_room(struct sum_layout layout)
{
    return sum_is_one_addition(layout) ? ((uint64_t)1 << (33 - layout.significand_bits)) - 1 : (uint64_t)1 << 31;
}

/* ---- a lane ---- */

/* Its word w is at words[w stride]: those of as many lanes lie side by side. */
struct sum_lane {
    uint64_t *words;
    unsigned stride;
    uint64_t held;           /* numbers since the last carry */
    uint64_t largest, least; /* magnitudes so far: 0 and UINT64_MAX */
};

PORTABLE struct sum_lane sum_begin(struct sum_layout layout, uint64_t *words, unsigned stride)
{
    const struct sum_lane lane = {words, stride, 0, 0, UINT64_MAX};
    for (unsigned w = 0; w < sum_words(layout); w++)
        words[w * stride] = 0;
    return lane;
}

PORTABLE void sum_count(struct sum_layout layout, const struct sum_lane *lane, enum sum_note note)
{
    lane->words[sum_word_of(layout, note) * lane->stride]++;
}

/* Numbers of 32 bits and less are compared as such. */
PORTABLE void sum_note_magnitude(struct sum_layout layout, struct sum_lane *lane, uint64_t magnitude)
{
    if (layout.products || layout.bytes == sizeof(double)) {
        lane->largest = magnitude > lane->largest ? magnitude : lane->largest;
        lane->least = magnitude < lane->least ? magnitude : lane->least;
    } else {
        const uint32_t narrow = (uint32_t)magnitude, largest = (uint32_t)lane->largest, least = (uint32_t)lane->least;
        lane->largest = narrow > largest ? narrow : largest;
        lane->least = narrow < least ? narrow : least;
    }
}

/* significand 2^place units */
PORTABLE void sum_add_shifted(struct sum_layout layout, const struct sum_lane *lane, uint64_t significand,
                              uint32_t place, bool negative)
{
    const uint32_t digit = place / SUM_DIGIT_BITS + (negative ? layout.digits : 0), shift = place % SUM_DIGIT_BITS;
    uint64_t *const words = lane->words + digit * lane->stride;
    const uint64_t low = significand << shift;
    if (sum_is_one_addition(layout)) {
        words[0] += low;
        return;
    }
    words[0] += (uint32_t)low;
    words[lane->stride] += low >> SUM_DIGIT_BITS;
    words[2 * lane->stride] += significand >> 1 >> (63 - shift);
}

/* Brings all digits but the last of P and N below 2^32. */
PORTABLE void sum_carry(struct sum_layout layout, struct sum_lane *lane)
{
    for (unsigned sign = 0; sign < 2; sign++) {
        uint64_t *word = lane->words + sign * layout.digits * lane->stride, carry = 0;
        for (unsigned d = 1; d < layout.digits; d++, word += lane->stride) {
            carry += *word;
            *word = (uint32_t)carry;
            carry >>= SUM_DIGIT_BITS;
        }
        *word += carry;
    }
    lane->held = 0;
}

/* Before so many are added: no more than sum_room(). */
PORTABLE void sum_make_room(struct sum_layout layout, struct sum_lane *lane, unsigned numbers)
{
    if (lane->held + numbers > sum_room(layout))
        sum_carry(layout, lane);
    lane->held += numbers;
}

/* All words, digits carried, are then those of the lane's numbers. */
PORTABLE void sum_end(struct sum_layout layout, struct sum_lane *lane)
{
    const uint64_t least = layout.products || layout.bytes == sizeof(double) ? lane->least : (uint32_t)lane->least;
    sum_carry(layout, lane);
    lane->words[sum_word_of(layout, SUM_LARGEST) * lane->stride] = lane->largest;
    lane->words[sum_word_of(layout, SUM_LEAST) * lane->stride] = UINT64_MAX - least;
}

/* ---- numbers ---- */

struct sum_number {
    uint64_t magnitude, significand;
    uint32_t field;
    bool negative;
};

/* Of a normal number; others are looked at again. */
PORTABLE struct sum_number sum_number_of(struct sum_layout layout, uint64_t bits)
{
    const uint64_t hidden = (uint64_t)1 << layout.fraction_bits, sign = (uint64_t)1 << (8 * layout.bytes - 1);
    struct sum_number number;
    number.magnitude = bits & (sign - 1);
    number.significand = (bits & (hidden - 1)) | hidden;
    number.field = (uint32_t)(bits >> layout.fraction_bits) & (layout.fields - 1);
    number.negative = (bits & sign) != 0;
    return number;
}

/* What neither is nor has a field of its own, 0 and the last, is normal. */
PORTABLE bool sum_is_normal(struct sum_layout layout, struct sum_number number)
{
    return number.field - 1 < layout.fields - 2;
}

PORTABLE uint64_t sum_infinity(struct sum_layout layout)
{
    const uint64_t last = (uint64_t)(layout.fields - 1) << layout.fraction_bits;
    return layout.finite_only ? last | (((uint64_t)1 << layout.fraction_bits) - 1) : last;
}

PORTABLE bool sum_is_special(struct sum_layout layout, struct sum_number number)
{
    return number.magnitude >= sum_infinity(layout);
}

PORTABLE bool sum_is_nan(struct sum_layout layout, struct sum_number number)
{
    return number.magnitude > sum_infinity(layout) || (layout.finite_only && sum_is_special(layout, number));
}

/* Takes the hidden bit from what has none. */
PORTABLE void sum_make_subnormal(struct sum_number *number)
{
    if (number->field == 0) {
        number->significand = number->magnitude;
        number->field = 1;
    }
}

PORTABLE void sum_count_special(struct sum_layout layout, const struct sum_lane *lane, bool is_nan, bool negative)
{
    sum_count(layout, lane, is_nan ? SUM_NANS : negative ? SUM_NEGATIVE_INFINITIES : SUM_POSITIVE_INFINITIES);
}

/* Counts what is not normal; whether there is something left to add. */
PORTABLE bool sum_count_number(struct sum_layout layout, const struct sum_lane *lane, struct sum_number *number)
{
    if (sum_is_special(layout, *number)) {
        sum_count_special(layout, lane, sum_is_nan(layout, *number), number->negative);
        return false;
    }
    if (number->magnitude == 0) {
        if (number->negative)
            sum_count(layout, lane, SUM_NEGATIVE_ZEROS);
        return false;
    }
    if (number->field == 0)
        sum_count(layout, lane, SUM_SUBNORMALS);
    sum_make_subnormal(number);
    return true;
}

PORTABLE void sum_add_number(struct sum_layout layout, struct sum_lane *lane, uint64_t bits)
{
    struct sum_number number = sum_number_of(layout, bits);
    if (!sum_is_normal(layout, number) && !sum_count_number(layout, lane, &number))
        return;
    sum_note_magnitude(layout, lane, number.magnitude);
    sum_add_shifted(layout, lane, number.significand, number.field, number.negative);
}

/* ---- products ---- */

/* The same of a product whose factors are not both normal. */
PORTABLE bool sum_count_product(struct sum_layout layout, const struct sum_lane *lane, struct sum_number *x,
                                struct sum_number *y)
{
    const bool negative = x->negative != y->negative, is_zero = x->magnitude == 0 || y->magnitude == 0;
    if (sum_is_special(layout, *x) || sum_is_special(layout, *y)) {
        sum_count_special(layout, lane, sum_is_nan(layout, *x) || sum_is_nan(layout, *y) || is_zero, negative);
        return false;
    }
    if (is_zero) {
        if (negative)
            sum_count(layout, lane, SUM_NEGATIVE_ZEROS);
        return false;
    }
    sum_make_subnormal(x);
    sum_make_subnormal(y);
    return true;
}

PORTABLE unsigned sum_length(uint64_t integer)
{
#ifdef __CUDA_ARCH__
    return 64 - (unsigned)__clzll((long long)integer);
#else
    return 64 - (unsigned)__builtin_clzll(integer);
#endif
}

/* The bits of binary64, which holds each product as a normal number. */
PORTABLE uint64_t sum_binary64_bits(uint64_t significand, int unit)
{
    const unsigned length = sum_length(significand);
    return (significand << (53 - length)) + ((uint64_t)(1021 + (int)length + unit) << 52);
}

PORTABLE void sum_add_product(struct sum_layout layout, struct sum_lane *lane, uint64_t x_bits, uint64_t y_bits)
{
    struct sum_number x = sum_number_of(layout, x_bits), y = sum_number_of(layout, y_bits);
    const bool are_normal = sum_is_normal(layout, x) && sum_is_normal(layout, y);
    if (!are_normal && !sum_count_product(layout, lane, &x, &y))
        return;
    const uint64_t significand = x.significand * y.significand;
    const uint32_t place = x.field + y.field;
    const uint64_t magnitude = sum_binary64_bits(significand, (int)place + sum_unit(layout));
    if (magnitude < (uint64_t)(1023 + sum_least_normal(layout)) << 52)
        sum_count(layout, lane, SUM_SUBNORMALS);
    sum_note_magnitude(layout, lane, magnitude);
    sum_add_shifted(layout, lane, significand, place, x.negative != y.negative);
}

/* ---- their order ---- */

/* An integer that grows with a number of so many bytes, -0 before 0. */
PORTABLE uint64_t sum_ordered(unsigned bytes, uint64_t bits)
{
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    return bits & sign ? ~bits & (sign - 1) : bits | sign;
}

/* Of a vector: the first number, and the largest of what orders it, which is all bits set less that, from below. */
enum sum_end { SUM_FIRST, SUM_UPPER, SUM_LOWER, SUM_ENDS };

/* y: of a product. */
PORTABLE void sum_add(struct sum_layout layout, struct sum_lane *lane, uint64_t x, uint64_t y)
{
    if (layout.products)
        sum_add_product(layout, lane, x, y);
    else
        sum_add_number(layout, lane, x);
}
