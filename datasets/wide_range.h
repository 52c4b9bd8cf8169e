/* The sizes of full_range and half_range: a power of i/n from a first number to the largest, signs in turn.
 *
 * ReproBLAS takes exp(log(first) + (log(MAX) - log(first)) i/n).  Read as integers, the bits of a format are such a
 * logarithm, but straight between powers of two, so that here the bits of x_i lie on a straight line:
 *
 *   first = 2^-126, n = 254:  2^-126, -2^-125, 2^-124, ...
 *
 * That is larger than ReproBLAS's by at most a factor 1.0615, and equal at both ends.
 */
#pragma once

#include "random.h"

/* whole[0] = 1/n, in units of 2^-64 */
static inline enum status wide_range_prepare(struct generator_call *call)
{
    call->whole[0] = call->n > 1 ? UINT64_MAX / call->n : 0;
    return OK;
}

/* The bits of 2^exponent, and those of the number that they are: those of binary64 with another bias. */
PORTABLE uint64_t wide_range_bits(const struct format *format, int exponent)
{
    return (uint64_t)(exponent - format_least_normal_exponent(format) + 1) << (format->precision - 1);
}

PORTABLE double wide_range_number(const struct format *format, uint64_t bits)
{
    const uint64_t bias = (uint64_t)(format_least_normal_exponent(format) + 1022) << 52;
    return double_from_bits((bits << (53 - format->precision)) + bias);
}

PORTABLE double wide_range_element(const struct generator_call *call, uint64_t i, int first_exponent)
{
    const uint64_t first = wide_range_bits(&call->format, first_exponent),
                   range = wide_range_bits(&call->format, call->format.overflow_exponent) - 1 - first; /* to MAX */
    if (call->format.precision == FLT_MANT_DIG) { /* the same in 32 bits: 1 instead of 3 ns */
        const uint32_t bits = (uint32_t)first + (uint32_t)random_below(i * call->whole[0], (uint32_t)range);
        return (double)float_from_bits(bits | (uint32_t)(i % 2) << 31);
    }
    const double magnitude = wide_range_number(&call->format, first + random_below(i * call->whole[0], range));
    return i % 2 == 0 ? magnitude : -magnitude;
}
