/* Where a format ends, for formulas that both compilers read.
 *
 *   binary32   u 2^-24   largest 2^128 - 2^104   least 2^-149, normal from 2^-126
 */
#pragma once

#include "src/base/fp.h"

/* 2^e for -1074 <= e < 1024, by its bits: ldexp without a library. */
PORTABLE double power_of_two(int e)
{
    return double_from_bits(e >= -1022 ? (uint64_t)(e + 1023) << 52 : UINT64_C(1) << (e + 1074));
}

PORTABLE double format_u(const struct format *format)
{
    return power_of_two(-format->precision);
}

PORTABLE double format_least(const struct format *format)
{
    return power_of_two(format->least_exponent);
}

PORTABLE int format_least_normal_exponent(const struct format *format)
{
    return format->least_exponent + format->precision - 1;
}

/* x rounded to the format, once; with binary32 the processor does it. */
PORTABLE double nearest_in(const struct format *format, double x)
{
    const int p = format->precision;
    return p == FLT_MANT_DIG ? (double)(float)x : p > FLT_MANT_DIG ? x : rounded_to(x, format);
}
