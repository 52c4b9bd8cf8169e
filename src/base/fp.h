/* Floating-point formats and their bits.  Header only: kernels, reference and program all read it.
 *
 *   binary32 1.0f   float_bits(1.0f) == 0x3f800000   u = 2^-24   least subnormal 2^-149
 */
#pragma once

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "ulpscope measures rounding: compile without -ffast-math and its parts"
#endif
#if FLT_EVAL_METHOD != 0
#error "ulpscope needs float arithmetic in float: compile with -mfpmath=sse (FLT_EVAL_METHOD must be 0)"
#endif

/* What stands before a function that gcc compiles for the host, and nvcc for the host and the GPU. */
#ifdef __CUDACC__
#define PORTABLE static inline __host__ __device__
#else
#define PORTABLE static inline
#endif

/* A binary format with the encoding of IEEE 754.  Exponents are those of the power of two itself. */
struct format {
    const char *name;      /* the word of the command line and of every report */
    unsigned bytes;        /* size of an element */
    int precision;         /* p: significand bits, the hidden one included; u = 2^-p */
    int least_exponent;    /* of the least subnormal: -149 for binary32 */
    int overflow_exponent; /* of the first power of two that is out of range: 128 for binary32 */
    bool finite_only;      /* no infinities, and one NaN, in place of what would be the largest number */
};

static const struct format FORMAT_BINARY16 = {"binary16", 2, 11, -24, 16, false};
static const struct format FORMAT_BFLOAT16 = {"bfloat16", 2, 8, -133, 128, false};
static const struct format FORMAT_BINARY32 = {"binary32", 4, 24, -149, 128, false};
static const struct format FORMAT_BINARY64 = {"binary64", 8, 53, -1074, 1024, false};

/* OCP 8-bit Floating Point Specification, 1.0 (2023).  E4M3 ends at 448. */
static const struct format FORMAT_E4M3 = {"e4m3", 1, 4, -9, 9, true};
static const struct format FORMAT_E5M2 = {"e5m2", 1, 3, -16, 16, false};

/* Of tensor cores: a binary32 that was rounded to 11 bits, so that the last 13 of its 32 are 0. */
static const struct format FORMAT_TF32 = {"tf32", 4, 11, -136, 128, false};

/* All that numbers are stored in, in the order of enum ulpscope_format; the first NUMBER_FORMAT_COUNT are those to
 * which `exact` and libulpscope round. */
static const struct format *const NUMBER_FORMATS[] = {
    &FORMAT_BINARY64, &FORMAT_BINARY32, &FORMAT_BINARY16, &FORMAT_BFLOAT16, &FORMAT_E4M3, &FORMAT_E5M2, &FORMAT_TF32};
enum { STORED_FORMAT_COUNT = sizeof NUMBER_FORMATS / sizeof *NUMBER_FORMATS, NUMBER_FORMAT_COUNT = 4 };

/* What the host keeps numbers of a format in, one after the other: binary32, which holds each of them, or binary64. */
static inline const struct format *format_held(const struct format *format)
{
    return format->precision > FORMAT_BINARY32.precision ? &FORMAT_BINARY64 : &FORMAT_BINARY32;
}

/* Whose bits a number of the format has: of TF32 those of binary32. */
static inline const struct format *format_encoding(const struct format *format)
{
    return format->bytes == format_held(format)->bytes ? format_held(format) : format;
}

/* Each file that includes this has formats of its own, so that addresses do not tell them apart. */
static inline bool is_format(const struct format *format, const struct format *other)
{
    return format->precision == other->precision && format->bytes == other->bytes;
}

/* The place of one of NUMBER_FORMATS. */
static inline unsigned format_index(const struct format *format)
{
    unsigned f = 0;
    while (!is_format(NUMBER_FORMATS[f], format))
        f++;
    return f;
}

PORTABLE uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

PORTABLE float float_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

PORTABLE uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

PORTABLE double double_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^e, e from -1022 to 1023. */
PORTABLE double double_power(int e)
{
    return double_from_bits((uint64_t)(1023 + e) << 52);
}

/* Where there are no infinities, the one below takes the place of the largest: it is the NaN. */
PORTABLE double format_largest(const struct format *format)
{
    const double spacing = double_power(1 - format->precision);
    return (2 - (format->finite_only ? 2 : 1) * spacing) * double_power(format->overflow_exponent - 1);
}

/* Whether some number of the one is none of the other. */
PORTABLE bool format_is_narrower(const struct format *format, const struct format *than)
{
    return format->precision < than->precision || format->least_exponent > than->least_exponent ||
           format->overflow_exponent < than->overflow_exponent;
}

/* v 2^e for |e| up to 2044 and |v| from 1 to 2^63, or 0.  Two factors: 2^e may be out of range where v 2^e is not.  The
 * first product is exact, and so is the second where v 2^e is a binary64 number. */
PORTABLE double double_scaled(double v, int e)
{
    return v * double_power(e / 2) * double_power(e - e / 2);
}

/* x rounded to a format, to nearest, ties to even, whatever the rounding mode: subnormals and overflow are the
 * format's; NaN where it has no infinity for what is out of range.  By its bits, which are an integer that grows with
 * |x|. */
PORTABLE double rounded_to(double x, const struct format *format)
{
    const uint64_t sign = double_bits(x) & UINT64_C(1) << 63, magnitude = double_bits(x) ^ sign;
    const int field = (int)(magnitude >> 52), last_place = (field > 0 ? field : 1) - 1075;
    const int in_subnormals = format->least_exponent - last_place;
    const int dropped = in_subnormals > 53 - format->precision ? in_subnormals : 53 - format->precision;
    const uint64_t least = (uint64_t)(format->least_exponent + 1023)
                           << 52; /* the bits of 2^least, where it is normal */
    if ((field == 0x7ff && !format->finite_only) || dropped <= 0)
        return x;
    if (dropped > 52) /* no bit of it is left, or the one that carries: x <= 2^least / 2, or above */
        return double_from_bits(sign | (magnitude > least - (UINT64_C(1) << 52) ? least : 0));
    const uint64_t odd = dropped < 52 ? magnitude >> dropped & 1 : 1; /* the hidden bit is no bit of it */
    const uint64_t half = UINT64_C(1) << (dropped - 1);
    const uint64_t rounded = (magnitude + (half - 1) + odd) & ~(2 * half - 1);
    const uint64_t overflow = (uint64_t)(format->overflow_exponent + 1023) << 52;
    if (format->finite_only && rounded >= overflow - 2 * half)
        return double_from_bits(UINT64_C(0x7ff8) << 48); /* it has no infinity */
    return double_from_bits(sign | (rounded < overflow ? rounded : UINT64_C(0x7ff) << 52));
}

/* A comparison of bits in which every NaN is the same NaN: the payload belongs to the hardware. */
static inline int float_same(float a, float b)
{
    return float_bits(a) == float_bits(b) || (a != a && b != b);
}
