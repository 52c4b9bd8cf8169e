/* Data built to break an exact sum of a format: its ends, its cancellations, its ties, its carries.  For tests; the
 * same in every run.
 *
 *   fills[k](&FORMAT_BINARY64, x, n)      writes x[0..n), finite elements of the format
 */
#ifndef ULPSCOPE_TESTS_ADVERSARIAL_H
#define ULPSCOPE_TESTS_ADVERSARIAL_H

#include "random.h"

#include <stddef.h>

enum { LENGTH_MOST = 4096, FILLS = 12 };

/* Element i of x; a double holds the elements of every format. */
static inline double element_of(const struct format *format, const void *x, size_t i)
{
    return format->bytes == sizeof(double) ? ((const double *)x)[i] : (double)((const float *)x)[i];
}

static inline void set_element(const struct format *format, void *x, size_t i, double value)
{
    if (format->bytes == sizeof(double))
        ((double *)x)[i] = value;
    else
        ((float *)x)[i] = (float)value;
}

static inline void shuffle(const struct format *format, void *x, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t j = below(i);
        const double last = element_of(format, x, i - 1);
        set_element(format, x, i - 1, element_of(format, x, j));
        set_element(format, x, j, last);
    }
}

/* ---- numbers ---- */

/* Exponent fields of finite numbers: 0 to 254 in binary32. */
static inline uint32_t finite_fields(const struct format *format)
{
    return (uint32_t)(format->overflow_exponent - format->least_exponent - format->precision + 2);
}

/* fraction 2^least in field 0; (2^(p-1) + fraction) 2^(least + field - 1) in the others. */
static inline double number_of(const struct format *format, uint32_t field, uint64_t fraction)
{
    const uint64_t significand = field == 0 ? fraction : UINT64_C(1) << (format->precision - 1) | fraction;
    return ldexp((double)significand, format->least_exponent + (field == 0 ? 0 : (int)field - 1));
}

static inline double random_sign(void)
{
    return next_random() & 1 ? -1 : 1;
}

/* Exponent field in [first, first + span), any sign and fraction. */
static inline double number_of_field(const struct format *format, uint32_t first, uint32_t span)
{
    const uint32_t field = first + (uint32_t)below(span);
    return random_sign() * number_of(format, field, next_random() >> (65 - format->precision));
}

static inline double any_number(const struct format *format)
{
    return number_of_field(format, 0, finite_fields(format));
}

static inline double largest_number(const struct format *format)
{
    return number_of(format, finite_fields(format) - 1, (UINT64_C(1) << (format->precision - 1)) - 1);
}

/* ---- arrays ---- */

static inline void fill_any(const struct format *format, void *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i, any_number(format));
}

static inline void fill_subnormal(const struct format *format, void *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i, number_of_field(format, 0, 2));
}

static inline void fill_huge(const struct format *format, void *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i, number_of_field(format, finite_fields(format) - 5, 5));
}

static inline void fill_huge_of_one_sign(const struct format *format, void *x, size_t n)
{
    const double sign = random_sign();
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i, sign * fabs(number_of_field(format, finite_fields(format) - 20, 20)));
}

/* Around the overflow threshold, the largest number and half an ulp. */
static inline void fill_threshold(const struct format *format, void *x, size_t n)
{
    const double least = ldexp(1, format->least_exponent);
    const double half_ulp = ldexp(1, format->overflow_exponent - format->precision - 1);
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i,
                    i == 0   ? largest_number(format)
                    : i == 1 ? half_ulp
                             : random_sign() * (below(2) ? least : half_ulp / 2));
}

static inline void fill_cancelling(const struct format *format, void *x, size_t n)
{
    for (size_t i = 0; i + 1 < n; i += 2) {
        set_element(format, x, i, any_number(format));
        set_element(format, x, i + 1, -element_of(format, x, i));
    }
    if (n % 2 == 1)
        set_element(format, x, n - 1, any_number(format));
    shuffle(format, x, n);
}

static inline void fill_one_binade(const struct format *format, void *x, size_t n)
{
    const uint32_t field = (uint32_t)below(finite_fields(format));
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i, number_of_field(format, field, 1));
}

/* A number, half an ulp of it, and dust on either side: a tie or next to one. */
static inline void fill_tie(const struct format *format, void *x, size_t n)
{
    const int most = 2 * format->precision + 2; /* the binades from the number to the last of the dust */
    const uint32_t field = (uint32_t)most + (uint32_t)below(finite_fields(format) - (uint32_t)most);
    const double number = number_of_field(format, field, 1), half_ulp = ldexp(1, ilogb(number) - format->precision);
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i,
                    i == 0   ? number
                    : i == 1 ? random_sign() * half_ulp
                             : ldexp((double)below(3) - 1, ilogb(half_ulp) - 1 - (int)below((uint64_t)most / 2)));
}

static inline void fill_cancelling_to_a_subnormal(const struct format *format, void *x, size_t n)
{
    fill_cancelling(format, x, n);
    if (n > 0)
        set_element(format, x, n - 1, number_of_field(format, 0, 1));
}

/* One number n times, the largest of its binade: the counter of one exponent fills as fast as it can. */
static inline void fill_equal(const struct format *format, void *x, size_t n)
{
    const uint64_t ones = (UINT64_C(1) << (format->precision - 1)) - 1;
    const double number = random_sign() * number_of(format, (uint32_t)below(finite_fields(format)), ones);
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i, number);
}

/* A power of two less one far below it borrows through all that lies between; then it is given back, or not. */
static inline void fill_borrow(const struct format *format, void *x, size_t n)
{
    const double sign = random_sign();
    for (size_t i = 0; i < n; i++) {
        const uint32_t field = (uint32_t)below(i % 2 ? 3 : finite_fields(format));
        set_element(format, x, i, sign * (i % 2 ? -1 : 1) * number_of(format, field, field == 0));
    }
}

/* Zeros of both signs among very little else. */
static inline void fill_zeros(const struct format *format, void *x, size_t n)
{
    const uint64_t positive = below(3); /* none, some, all of them */
    for (size_t i = 0; i < n; i++)
        set_element(format, x, i, below(2) < positive ? 0.0 : -0.0);
    if (n > 0 && below(3) == 0)
        set_element(format, x, below(n), any_number(format));
}

static void (*const fills[FILLS])(const struct format *, void *, size_t) = {
    fill_any,        fill_subnormal,  fill_huge, fill_huge_of_one_sign,          fill_threshold,
    fill_cancelling, fill_one_binade, fill_tie,  fill_cancelling_to_a_subnormal, fill_equal,
    fill_borrow,     fill_zeros,
};

/* Small n mostly: there a rounding error has nowhere to hide. */
static inline size_t some_length(size_t round)
{
    return round % 200 == 0 ? LENGTH_MOST - below(3) : round % 10 == 0 ? below(500) : below(12);
}

#endif
