/* Data of either format, and their exact sums held to GMP integers and to per-term MPFR; for tests of cmocka, whose
 * header comes first.
 */
#ifndef ULPSCOPE_TESTS_SUMMED_DATA_H
#define ULPSCOPE_TESTS_SUMMED_DATA_H

#include "reference/exact.h"
#include "reference/per_term.h"
#include "tests/support/random.h"

#include <float.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { BANKS = 4, BLOCK = 2048, BLOCK64 = 4096 }; /* of reference/bins.c and bins64.h */

static const struct format *const formats[] = {&FORMAT_BINARY32, &FORMAT_BINARY64};

/* ---- data of either format ---- */

struct data {
    const struct format *format;
    uint64_t n;
    union {
        float *x32;
        double *x64;
        void *x;
    };
};

static inline struct data data_new(const struct format *format, uint64_t n)
{
    struct data data = {.format = format, .n = n, .x = malloc(n * format->bytes + 1)};
    assert_non_null(data.x);
    return data;
}

static inline void set(struct data *data, uint64_t i, double value)
{
    if (data->format == &FORMAT_BINARY64)
        data->x64[i] = value;
    else
        data->x32[i] = (float)value;
}

static inline double get(const struct data *data, uint64_t i)
{
    return data->format == &FORMAT_BINARY64 ? data->x64[i] : (double)data->x32[i];
}

static inline double largest_of(const struct format *format)
{
    return format == &FORMAT_BINARY64 ? DBL_MAX : (double)FLT_MAX;
}

/* The bits of the format; finite. */
static inline double any_of(const struct format *format)
{
    for (;;) {
        const double x = format == &FORMAT_BINARY64 ? double_from_bits(next_random()) : (double)any_float();
        if (isfinite(x))
            return x;
    }
}

static inline struct data any_data(const struct format *format, uint64_t n)
{
    struct data data = data_new(format, n);
    for (uint64_t i = 0; i < n; i++)
        set(&data, i, any_of(format));
    return data;
}

static inline struct data repeated(const struct format *format, double value, uint64_t n)
{
    struct data data = data_new(format, n);
    for (uint64_t i = 0; i < n; i++)
        set(&data, i, value);
    return data;
}

/* ---- the same sum in GMP integers, in units of 2^-1074, of products 2^-2148 ---- */

static inline void integer_of(mpz_t integer, double x)
{
    int exponent;
    const double fraction = frexp(x, &exponent); /* x = fraction 2^53 2^(exponent - 53), both integers with 2^1074 */
    const int shift = exponent - 53 + 1074;
    mpz_set_d(integer, ldexp(fraction, 53));
    if (shift >= 0)
        mpz_mul_2exp(integer, integer, (mp_bitcnt_t)shift);
    else
        mpz_tdiv_q_2exp(integer, integer, (mp_bitcnt_t)-shift);
}

/* value == integer 2^unit */
static inline bool is_integer(const mpfr_t value, const mpz_t integer, int unit)
{
    mpfr_t expected;
    mpfr_init2(expected, 4400);
    assert_int_equal(mpfr_set_z_2exp(expected, integer, unit, MPFR_RNDN), 0);
    const bool same = mpfr_equal_p(value, expected);
    mpfr_clear(expected);
    return same;
}

/* y: NULL, or the second factors.  Finite data only. */
static inline bool is_the_integer_sum(const struct exact_sum *exact, const struct data *x, const struct data *y)
{
    const int unit = y ? -2148 : -1074;
    mpz_t sum, sum_abs, term, factor;
    mpz_inits(sum, sum_abs, term, factor, (mpz_ptr)0);
    for (uint64_t i = 0; i < x->n; i++) {
        integer_of(term, get(x, i));
        if (y) {
            integer_of(factor, get(y, i));
            mpz_mul(term, term, factor);
        }
        mpz_add(sum, sum, term);
        mpz_abs(term, term);
        mpz_add(sum_abs, sum_abs, term);
    }
    const bool same = is_integer(exact->sum, sum, unit) && is_integer(exact->sum_abs, sum_abs, unit);
    mpz_clears(sum, sum_abs, term, factor, (mpz_ptr)0);
    return same;
}

/* ---- sums ---- */

static const struct exact_how verified = {.verify = true};

static inline struct exact_sum sum_of(const struct data *data, struct exact_how how)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum_how(data->format, how, data->x, data->n, &exact), OK);
    return exact;
}

/* By bins, per-term MPFR and GMP integers. */
static inline void assert_sum_is_right(const struct data *data)
{
    struct exact_sum exact = sum_of(data, verified);
    assert_true(is_the_integer_sum(&exact, data, NULL));
    exact_free(&exact);
}

static inline bool agree(struct exact_sum a, struct exact_sum b)
{
    const bool same = per_term_agrees(&a, &b) == OK;
    exact_free(&a);
    exact_free(&b);
    return same;
}

/* Infinities, NaN, zeros, and what is subnormal in binary32. */
static const double specials[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0, 0x1p-149, -0x1p-149};

#endif
