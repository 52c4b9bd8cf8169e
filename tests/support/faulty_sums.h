/* Sums of others, each with one fault, and what a cause of it must say: for tests of those who look for causes.  None
 * of them shares code with what it is named by.  For tests of cmocka, whose header comes first. */
#ifndef ULPSCOPE_TESTS_FAULTY_SUMS_H
#define ULPSCOPE_TESTS_FAULTY_SUMS_H

#include "tests/support/random.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- data ---- */

enum random_kind { UNIFORM, SIGNED, NORMAL, WIDE, INTEGERS, RANDOM_KINDS };
enum { FLOATS = (1 << INTEGERS) - 1 };

/* x has room for `most`; how many there are. */
static inline uint64_t fill_random(float *x, enum random_kind kind, uint64_t least, uint64_t most)
{
    const uint64_t n = least + below(most - least + 1);
    for (uint64_t i = 0; i < n; i++) {
        const double u = (double)(next_random() >> 11) * 0x1p-53, v = (double)(next_random() >> 11) * 0x1p-53;
        const double normal = sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
        const double values[RANDOM_KINDS] = {u, 200 * u - 100, normal, exp(2 * normal), floor(1000 * u)};
        x[i] = (float)values[kind];
    }
    return n;
}

/* ---- sound sums ---- */

static inline float add_all(const float *x, uint64_t n)
{
    float sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static inline float add_halves(const float *x, uint64_t n)
{
    return n < 3 ? add_all(x, n) : add_halves(x, n / 2) + add_halves(x + n / 2, n - n / 2);
}

/* ---- with a fault ---- */

#define SUM_OF(name, ...)                                                                                              \
    static inline float name(const float *x, uint64_t n)                                                               \
    {                                                                                                                  \
        float sum = 0;                                                                                                 \
        __VA_ARGS__;                                                                                                   \
        return sum;                                                                                                    \
    }
#define EACH for (uint64_t i = 0; i < n; i++)
#define ROUNDED(value, format) (float)rounded_to((double)(value), &FORMAT_##format)

SUM_OF(without_last, sum = add_all(x, n - 1))
SUM_OF(without_last_in_halves, sum = add_halves(x, n - 1))
SUM_OF(without_first, sum = add_all(x + 1, n - 1))
SUM_OF(without_tail_of_4, sum = add_all(x, n / 4 * 4))
SUM_OF(first_again, sum = x[0]; EACH sum += x[i])
SUM_OF(last_again, sum = add_all(x, n) + x[n - 1])
SUM_OF(first_half, sum = add_all(x, n / 2))
SUM_OF(from_one, sum = 1; EACH sum += x[i])
SUM_OF(without_middle, EACH sum += i == n / 2 ? 0 : x[i])
SUM_OF(first_100, sum = add_all(x, n < 100 ? n : 100))
SUM_OF(of_squares, EACH sum += x[i] * x[i])
SUM_OF(nothing, (void)x, (void)n)
SUM_OF(no_number, (void)x, (void)n; sum = NAN)
SUM_OF(negated, sum = -add_all(x, n))
SUM_OF(of_magnitudes, EACH sum += fabsf(x[i]))
SUM_OF(stale, sum = 2 * add_all(x, n))
SUM_OF(averaged, sum = add_all(x, n) / (float)n)
SUM_OF(in_an_integer, int whole = 0; EACH whole = (int)((float)whole + x[i]); sum = (float)whole)
SUM_OF(of_integer_parts, EACH sum += (float)(int)x[i])
SUM_OF(integer_result, sum = (float)(int)add_all(x, n))
SUM_OF(integer_as_result, const int whole = (int)add_all(x, n); memcpy(&sum, &whole, sizeof sum))
SUM_OF(of_bfloat16, EACH sum += ROUNDED(x[i], BFLOAT16))
SUM_OF(of_binary16, EACH sum += ROUNDED(x[i], BINARY16))
SUM_OF(result_in_bfloat16, sum = ROUNDED(add_all(x, n), BFLOAT16))
SUM_OF(result_in_binary16, sum = ROUNDED(add_all(x, n), BINARY16))
SUM_OF(kept_in_bfloat16, EACH sum = ROUNDED(sum + x[i], BFLOAT16))
SUM_OF(kept_in_binary16, EACH sum = ROUNDED(sum + x[i], BINARY16))
SUM_OF(wrapped_to_8, uint8_t whole = 0; EACH whole = (uint8_t)(whole + (uint8_t)(int)x[i]); sum = (float)whole)
SUM_OF(wrapped_to_16, int16_t whole = 0; EACH whole = (int16_t)(whole + (int16_t)x[i]); sum = (float)whole)
SUM_OF(
    integers_as_floats, EACH {
        const int32_t whole = (int32_t)x[i];
        float y;
        memcpy(&y, &whole, 4);
        sum += y;
    })
SUM_OF(
    floats_as_integers, EACH {
        int32_t whole;
        memcpy(&whole, &x[i], 4);
        sum += (float)whole;
    })
SUM_OF(
    toward_zero, EACH {
        const double exact = (double)sum + (double)x[i];
        sum = (float)exact;
        if (fabs((double)sum) > fabs(exact))
            sum = nextafterf(sum, 0);
    })

/* Of which no table knows anything. */
static inline double noise(const float *x, uint64_t n, uint64_t salt)
{
    uint64_t hash = salt + n * 0x9e3779b97f4a7c15;
    EACH hash = (hash ^ float_bits(x[i])) * 0xbf58476d1ce4e5b9;
    return (double)((hash ^ hash >> 29) >> 11) * 0x1p-53;
}

SUM_OF(scaled, sum = (float)((double)add_all(x, n) * (1 + 0.3 * noise(x, n, 1))))
SUM_OF(scaled_a_little, sum = (float)((double)add_all(x, n) * (1 + 1e-3 * noise(x, n, 2))))
SUM_OF(moved, sum = (float)((double)add_all(x, n) + 3 * noise(x, n, 3)))
SUM_OF(without_two, sum = add_all(x, n) - x[n / 3] - x[n / 2])
SUM_OF(neighbour_for_one, sum = add_all(x, n) - x[n / 3] + x[n / 3 + 1])
SUM_OF(one_negated, sum = add_all(x, n) - 2 * x[n / 3])
SUM_OF(without_a_middle, EACH sum += i < n / 3 || i > n / 3 + n / 9 + 1 ? x[i] : 0)
SUM_OF(without_every_third, EACH sum += i % 3 == 1 ? 0 : x[i])
SUM_OF(of_clamped, EACH sum += fminf(fmaxf(x[i], -0.7f), 0.7f))
SUM_OF(
    of_extremes, float least = x[0], most = x[0]; EACH {
        least = fminf(least, x[i]);
        most = fmaxf(most, x[i]);
    } sum = most + least)
SUM_OF(two_bits_flipped, sum = float_from_bits(float_bits(add_all(x, n)) ^ (5u << (8 + n % 12) | 1)))

static const struct faulty_sum {
    const char *name;
    float (*sum)(const float *x, uint64_t n);
    unsigned data;     /* bits of enum random_kind on which it shows; 0: all */
    const char *words; /* what its cause has; NULL: it has none */
} faulty_sums[] = {
#define KNOWN(name, data, words) {#name, name, data, words},
#define UNKNOWN(name) {#name, name, 0, NULL},
    KNOWN(without_last, 0, "the last element is left out") KNOWN(
        without_last_in_halves, 0,
        "the last element is left out") KNOWN(without_first, 0,
                                              "the first element is left out") KNOWN(without_tail_of_4, 0, "left out")
        KNOWN(first_again, 0, "the first element is added twice|x_0 is added twice") KNOWN(
            last_again, 0, "the last element is added twice") KNOWN(first_half, 0,
                                                                    "the second half of the data is left out")
            KNOWN(from_one, FLOATS, "the sum starts from 1") KNOWN(nothing, 0, "the result is 0|gives 0x0p+0") KNOWN(
                no_number, 0,
                "NaN|gives nan") KNOWN(negated, 0, "the sign of the sum is flipped") KNOWN(of_magnitudes,
                                                                                           1 << SIGNED | 1 << NORMAL,
                                                                                           "all elements are positive")
                KNOWN(stale, 0, "twice|of the trial before, of the same data") KNOWN(averaged, 0, "mean") KNOWN(
                    in_an_integer, 0,
                    "the sum is kept in an integer") KNOWN(of_integer_parts, 0, "the elements are cut to integers")
                    KNOWN(integer_result, FLOATS, "the result is cut to an integer") KNOWN(
                        integer_as_result,
                        1 << UNIFORM | 1 << WIDE | 1 << INTEGERS,
                        "whose bits are read|the result is 0|gives 0x0p+0")
                        KNOWN(of_bfloat16, FLOATS, "the elements are rounded to bfloat16 first") KNOWN(
                            of_binary16, FLOATS,
                            "the elements are rounded to binary16 first") KNOWN(result_in_bfloat16, 0,
                                                                                "the result is rounded to bfloat16")
                            KNOWN(result_in_binary16, FLOATS,
                                  "the result is rounded to binary16|the result overflows in binary16")
                                KNOWN(kept_in_bfloat16, 0, "kept in bfloat16|bfloat16 partial sums") KNOWN(
                                    kept_in_binary16,
                                    0, "kept in binary16|binary16 partial sums|overflow in binary16")
                                    KNOWN(wrapped_to_8, 1 << INTEGERS,
                                          "modulo 2^8") KNOWN(wrapped_to_16, 1 << INTEGERS, "modulo 2^16")
                                        KNOWN(integers_as_floats, 1 << INTEGERS,
                                              "integers are read as floating-point numbers")
                                            KNOWN(floats_as_integers, 0,
                                                  "the bits of the elements are read as integers")
                                                KNOWN(toward_zero, 0, "additions round toward zero")
                                                    KNOWN(without_middle, 0, "the element in the middle|x_") KNOWN(
                                                        first_100, 0,
                                                        "beyond the first 100|whole vector|second half|last element")
                                                        KNOWN(of_squares, 0, "squares of the elements are added")
                                                            UNKNOWN(scaled) UNKNOWN(scaled_a_little) UNKNOWN(moved)
                                                                UNKNOWN(without_two) UNKNOWN(neighbour_for_one)
                                                                    UNKNOWN(one_negated) UNKNOWN(without_a_middle)
                                                                        UNKNOWN(without_every_third) UNKNOWN(of_clamped)
                                                                            UNKNOWN(of_extremes)
                                                                                UNKNOWN(two_bits_flipped)
#undef KNOWN
#undef UNKNOWN
};
enum { FAULTY_SUMS = sizeof faulty_sums / sizeof *faulty_sums };

#undef SUM_OF
#undef EACH
#undef ROUNDED

static inline bool shows_on(const struct faulty_sum *fault, enum random_kind kind)
{
    return !fault->data || fault->data >> kind & 1;
}

/* Whether a cause has one of the words between |. */
static inline bool has_words(const char *cause, const char *words)
{
    for (const char *next = words; next; next = strchr(next, '|') ? strchr(next, '|') + 1 : NULL) {
        const size_t length = strcspn(next, "|");
        for (const char *at = cause; *at; at++)
            if (strncmp(at, next, length) == 0)
                return true;
    }
    return false;
}

#endif
