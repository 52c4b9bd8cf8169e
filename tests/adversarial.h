/* Data made to hurt an exact sum: its ends, its cancellations, its ties.  For tests; the same in every run. */
#ifndef ULPSCOPE_TESTS_ADVERSARIAL_H
#define ULPSCOPE_TESTS_ADVERSARIAL_H

#include "random.h"

#include <float.h>
#include <stddef.h>

enum { LENGTH_MOST = 4096 };

/* Exponent field in [least, least + span), any sign and fraction. */
static inline float float_of_field(uint32_t least, uint32_t span)
{
    const uint32_t field = least + (uint32_t)below(span);
    return float_from_bits(((uint32_t)next_random() & 0x807fffff) | field << 23);
}

static inline void shuffle(float *x, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t j = below(i);
        const float swapped = x[i - 1];
        x[i - 1] = x[j];
        x[j] = swapped;
    }
}

static inline void fill_any(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = any_float();
}

static inline void fill_subnormal(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = float_of_field(0, 2);
}

static inline void fill_huge(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = float_of_field(250, 5);
}

static inline void fill_huge_of_one_sign(float *x, size_t n)
{
    const float sign = next_random() & 1 ? -1.0f : 1.0f;
    for (size_t i = 0; i < n; i++)
        x[i] = sign * fabsf(float_of_field(254 - (uint32_t)below(20), 1));
}

/* Around the overflow threshold, FLT_MAX + half an ulp. */
static inline void fill_threshold(float *x, size_t n)
{
    static const float terms[] = {FLT_MAX, 0x1p103f, -0x1p-149f, 0x1p-149f, 0x1p102f, 0x1p102f};
    for (size_t i = 0; i < n; i++)
        x[i] = i < 2 ? terms[i] : terms[2 + below(4)] * (next_random() & 1 ? 1.0f : -1.0f);
}

static inline void fill_cancelling(float *x, size_t n)
{
    for (size_t i = 0; i + 1 < n; i += 2) {
        x[i] = any_float();
        x[i + 1] = -x[i];
    }
    if (n % 2 == 1)
        x[n - 1] = any_float();
    shuffle(x, n);
}

static inline void fill_one_binade(float *x, size_t n)
{
    const uint32_t field = (uint32_t)below(255);
    for (size_t i = 0; i < n; i++)
        x[i] = float_of_field(field, 1);
}

/* A number, half an ulp of it, and dust on either side: a tie or next to one. */
static inline void fill_tie(float *x, size_t n)
{
    const int exponent = (int)below(150) - 100;
    for (size_t i = 0; i < n; i++)
        x[i] = i == 0   ? ldexpf(1 + (float)below(1 << 23) * 0x1p-23f, exponent)
               : i == 1 ? ldexpf(next_random() & 1 ? 1 : -1, exponent - 24)
                        : ldexpf((float)below(3) - 1, exponent - 30 - (int)below(19));
}

static inline void fill_cancelling_to_a_subnormal(float *x, size_t n)
{
    fill_cancelling(x, n);
    if (n > 0)
        x[n - 1] = float_of_field(0, 1);
}

static void (*const fills[])(float *, size_t) = {
    fill_any,        fill_subnormal,  fill_huge, fill_huge_of_one_sign,          fill_threshold,
    fill_cancelling, fill_one_binade, fill_tie,  fill_cancelling_to_a_subnormal,
};

/* Small n mostly: there a rounding error has nowhere to hide. */
static inline size_t some_length(size_t round)
{
    return round % 200 == 0 ? LENGTH_MOST - below(3) : round % 10 == 0 ? below(500) : below(12);
}

#endif
