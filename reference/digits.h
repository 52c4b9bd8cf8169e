/* Exact sums of products in digits of 32 bits, as a thread of a GPU adds them; both compilers read it, and a test runs
 * it on the host.  It shares nothing with matrix.c.
 *
 * P and N, the sums of the positive products and of the negative ones, are integers in digits of 32 bits.  A product is
 * an integer, too, which is shifted to its place and added word by word:
 *
 *   number      m 2^(place + least), place from 0 on
 *   product     m 2^(place + 2 least), place = 32 d + shift
 *   digit d + w += word w of m 2^shift, and the carry of the digit below
 *
 *   binary32 1.5 1.5  m = (3 2^22)^2 = 9 2^44, place 126 + 126 = 252 = 32 7 + 28: 9 2^72 is 0, 0, 9 2^8
 *                     digit 9 += 9 2^8, which is worth 2^(32 9 + 8 - 298): 9 2^-2
 *
 * The last word of a binary32 product is less than 2^15, of a binary64 one less than 2^9: seldom is there a carry out
 * of it, and seldom a loop.
 *
 * Memory for digits is what limits how many threads run at once.  So there are digits only from the least product on to
 * 2^64 of the largest: digit 0 begins at the sum of the least places of A and of B.
 */
#pragma once

#include "src/base/fp.h"

/* How often nvcc repeats the body of a loop.  Left to itself it takes all registers for loops that cost little. */
#ifdef __CUDA_ARCH__
#define PRAGMA_TEXT(text) _Pragma(#text)
#define UNROLLED(times) PRAGMA_TEXT(unroll times)
#else
#define UNROLLED(times)
#endif

enum { DIGIT_BITS = 32 };

/* The numbers of A and B, and their products. */
struct digits_grid {
    unsigned fraction_bits, fields; /* of their encoding */
    int least;                      /* exponent of the least subnormal */
    unsigned product_bits, words;   /* words: of a shifted product */
};

PORTABLE struct digits_grid digits_grid_of(bool is_binary64)
{
    const struct digits_grid binary32 = {23, 256, -149, 48, 3}, binary64 = {52, 2048, -1074, 106, 5};
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

/* ---- numbers ---- */

struct factor {
    uint64_t significand;
    uint32_t place; /* 0 of a 0 and of what is special */
    bool negative, special;
};

/* Its place counts from `first` on. */
PORTABLE struct factor factor_of(struct digits_grid grid, uint64_t bits, unsigned first)
{
    const uint64_t hidden = (uint64_t)1 << grid.fraction_bits;
    const uint32_t top = (uint32_t)(bits >> grid.fraction_bits), field = top & (grid.fields - 1);
    struct factor factor;
    factor.significand = (bits & (hidden - 1)) | (field > 0 ? hidden : 0);
    factor.negative = top >= grid.fields;
    factor.special = field == grid.fields - 1;
    factor.place = factor.special || factor.significand == 0 ? 0 : (field > 0 ? field - 1 : 0) - first;
    return factor;
}

PORTABLE double number_at(bool is_binary64, const void *numbers, uint64_t i)
{
    return is_binary64 ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

PORTABLE uint64_t bits_at(bool is_binary64, const void *numbers, uint64_t i)
{
    return is_binary64 ? double_bits(((const double *)numbers)[i]) : float_bits(((const float *)numbers)[i]);
}

/* The least and the largest place of numbers that are neither 0 nor special; first > last: there are none. */
struct digits_reach {
    unsigned first, last;
};

/* Inlined for each size of numbers. */
__attribute__((always_inline)) static inline struct digits_reach digits_reach_of(bool is_binary64, const void *numbers,
                                                                                 uint64_t n)
{
    const struct digits_grid grid = digits_grid_of(is_binary64);
    struct digits_reach reach = {grid.fields, 0};
    for (uint64_t i = 0; i < n; i++) {
        const struct factor x = factor_of(grid, bits_at(is_binary64, numbers, i), 0);
        const bool counts = x.significand > 0 && !x.special;
        reach.first = counts && x.place < reach.first ? x.place : reach.first;
        reach.last = counts && x.place > reach.last ? x.place : reach.last;
    }
    return reach;
}

/* Where the digits of sums lie: place 0 is that of the least product. */
struct digits_window {
    unsigned first_a, first_b, digits;
};

static inline struct digits_window digits_window_of(bool is_binary64, struct digits_reach a, struct digits_reach b)
{
    const unsigned places_a = a.first > a.last ? 0 : a.last - a.first,
                   places_b = b.first > b.last ? 0 : b.last - b.first;
    const unsigned bits = places_a + places_b + digits_grid_of(is_binary64).product_bits + 64;
    return (struct digits_window){a.first, b.first, bits / DIGIT_BITS + 1};
}

/* ---- products ---- */

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
