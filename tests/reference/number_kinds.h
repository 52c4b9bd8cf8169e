/* Numbers of a format that are hard to sum, kind by kind. */
#ifndef TESTS_REFERENCE_NUMBER_KINDS_H
#define TESTS_REFERENCE_NUMBER_KINDS_H

#include "src/base/format.h"
#include "tests/support/random.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef double number_kind(const struct format *format);

static inline double any_finite(const struct format *format)
{
    for (;;) {
        const double x = format_value(format, next_random() & UINT64_MAX >> (64 - 8 * format->bytes));
        if (isfinite(x))
            return x;
    }
}

static inline double of_one_size(const struct format *format)
{
    return rounded_to(ldexp((double)(int64_t)next_random(), -63), format);
}

static inline double zero_or_not(const struct format *format)
{
    return below(2) ? of_one_size(format) : below(2) ? -0.0 : 0.0;
}

static inline double often_negative_zero(const struct format *format)
{
    return below(16) ? -0.0 : below(16) ? 0.0 : of_one_size(format);
}

static inline double subnormal(const struct format *format)
{
    return ldexp((double)below(8) - 3, format->least_exponent);
}

static inline double at_an_end(const struct format *format)
{
    const double ends[] = {format_largest(format), ldexp(1, format->least_exponent), 1};
    return (below(2) ? 1 : -1) * ends[below(COUNT_OF(ends))];
}

static inline double cancelling(const struct format *format)
{
    return below(20) ? (below(2) ? 1 : -1) * format_largest(format) : of_one_size(format);
}

static inline double seldom_special(const struct format *format)
{
    static const double specials[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0};
    return below(40) ? any_finite(format) : format_value(format, format_bits(format, specials[below(5)]));
}

static number_kind *const kinds[] = {any_finite, of_one_size, zero_or_not, often_negative_zero,
                                     subnormal,  at_an_end,   cancelling,  seldom_special};

#endif
