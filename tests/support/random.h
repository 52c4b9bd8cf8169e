/* Random bits for tests, the same in every run: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014). */
#ifndef ULPSCOPE_TESTS_RANDOM_H
#define ULPSCOPE_TESTS_RANDOM_H

#include "src/base/fp.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint64_t random_state;

static inline void seed_random(uint64_t seed)
{
    random_state = seed;
}

static inline uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline uint64_t below(uint64_t count)
{
    return next_random() % count;
}

/* Finite; every exponent alike. */
static inline float any_float(void)
{
    for (;;) {
        const float x = float_from_bits((uint32_t)next_random());
        if (isfinite(x))
            return x;
    }
}

static inline void shuffle_floats(float *x, uint64_t n)
{
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t k = below(i);
        const float kept = x[i - 1];
        x[i - 1] = x[k];
        x[k] = kept;
    }
}

/* The same bits; every NaN is the same NaN. */
static inline bool same_double(double a, double b)
{
    return double_bits(a) == double_bits(b) || (isnan(a) && isnan(b));
}

#endif
