/* exp, log, sine and cosine for the elements of families and for softmax: binary64, made of + - * / and bits alone, so
 * that gcc, clang and nvcc give the same bits; no contraction (docs/architecture.md, "Same bits").
 * tests/datasets/test_gaussian.c and tests/base/test_elementary.c hold their errors to MPFR:
 *
 *   exp_of(x)   |x| <= 700             relative error < EXP_ERROR, 2^-51.8
 *   exp_any(x)  every x                likewise, and 2^-1075 where it is subnormal; exp_any(0) = 1
 *   exp2_of(EXP2_SHIFT + y), |y| <= 126, of binary32: 2^y     relative error < 2^-23
 *   exp_fast(x) every x                likewise e^x; 0 below 2^-126, infinity above 2^126; exp_fast(0) = 1
 *   log_of(u)   2^-1022 <= u < inf     relative error < LOG_ERROR, 2^-51
 *   log_any(u)  every u                likewise; of 0 -infinity, below it NaN; log_any(1) = 0
 *   sine_of_octant(f), cosine_of_octant(f): of f pi/4, 0 <= f <= 1     relative error < 2^-51
 *
 * Polynomials without plain coefficients interpolate at the zeros of a Chebyshev polynomial.  What they leave out is
 * less than 2^-54 of the value; the rest of the error is rounding.
 */
#pragma once

#include "fp.h"

#define EXP_ERROR 0x1.26p-52 /* 2^-51.8 */
#define EXP_FAST_ERROR 0x1p-23
#define LOG_ERROR 0x1p-51

/* Device code cannot read the host's constants. */
#ifdef __CUDA_ARCH__
#define ELEMENTARY_TABLE static __device__ const
#else
#define ELEMENTARY_TABLE static const
#endif

enum { ELEMENTARY_POWERS = 64 };

/* 2^(j/64) */
/* clang-format off */
ELEMENTARY_TABLE double elementary_powers[ELEMENTARY_POWERS] = {
    0x1.0000000000000p+0, 0x1.02c9a3e778061p+0, 0x1.059b0d3158574p+0, 0x1.0874518759bc8p+0,
    0x1.0b5586cf9890fp+0, 0x1.0e3ec32d3d1a2p+0, 0x1.11301d0125b51p+0, 0x1.1429aaea92de0p+0,
    0x1.172b83c7d517bp+0, 0x1.1a35beb6fcb75p+0, 0x1.1d4873168b9aap+0, 0x1.2063b88628cd6p+0,
    0x1.2387a6e756238p+0, 0x1.26b4565e27cddp+0, 0x1.29e9df51fdee1p+0, 0x1.2d285a6e4030bp+0,
    0x1.306fe0a31b715p+0, 0x1.33c08b26416ffp+0, 0x1.371a7373aa9cbp+0, 0x1.3a7db34e59ff7p+0,
    0x1.3dea64c123422p+0, 0x1.4160a21f72e2ap+0, 0x1.44e086061892dp+0, 0x1.486a2b5c13cd0p+0,
    0x1.4bfdad5362a27p+0, 0x1.4f9b2769d2ca7p+0, 0x1.5342b569d4f82p+0, 0x1.56f4736b527dap+0,
    0x1.5ab07dd485429p+0, 0x1.5e76f15ad2148p+0, 0x1.6247eb03a5585p+0, 0x1.6623882552225p+0,
    0x1.6a09e667f3bcdp+0, 0x1.6dfb23c651a2fp+0, 0x1.71f75e8ec5f74p+0, 0x1.75feb564267c9p+0,
    0x1.7a11473eb0187p+0, 0x1.7e2f336cf4e62p+0, 0x1.82589994cce13p+0, 0x1.868d99b4492edp+0,
    0x1.8ace5422aa0dbp+0, 0x1.8f1ae99157736p+0, 0x1.93737b0cdc5e5p+0, 0x1.97d829fde4e50p+0,
    0x1.9c49182a3f090p+0, 0x1.a0c667b5de565p+0, 0x1.a5503b23e255dp+0, 0x1.a9e6b5579fdbfp+0,
    0x1.ae89f995ad3adp+0, 0x1.b33a2b84f15fbp+0, 0x1.b7f76f2fb5e47p+0, 0x1.bcc1e904bc1d2p+0,
    0x1.c199bdd85529cp+0, 0x1.c67f12e57d14bp+0, 0x1.cb720dcef9069p+0, 0x1.d072d4a07897cp+0,
    0x1.d5818dcfba487p+0, 0x1.da9e603db3285p+0, 0x1.dfc97337b9b5fp+0, 0x1.e502ee78b3ff6p+0,
    0x1.ea4afa2a490dap+0, 0x1.efa1bee615a27p+0, 0x1.f50765b6e4540p+0, 0x1.fa7c1819e90d8p+0,
};
/* clang-format on */

/* x = k log(2)/64 + r, |r| <= log(2)/128:  exp(x) = 2^(k/64) (1 + r + r^2/2 + ... + r^5/120).
 *
 * Adding 1.5 * 2^52 rounds to the nearest whole number, which then stands in the last bits: 6 of them choose the power,
 * the others are added to its exponent.
 *
 * Proof, |x| <= 746, u = 2^-53.  |k| < 2^17, so that k times the upper 36 bits of log(2)/64 is exact, and so is x less
 * that: a multiple of the last place of the smaller, and not larger than x or log(2)/64.  k times the lower part, at
 * most 2^-28, is rounded by 2^-82 at most, and what lies below it is k 2^-99; r is rounded by 2^-61, being less than
 * 2^-7.5. So r is off by (1 + 2^-17) 2^-61, which is so much of e^r, 0.0040 u.  p is r and less than 2^-16 beside it:
 * rounded by 2^-61 and 4 u 2^-16, 0.0041 u.  The polynomial leaves out r^6/720 and more, 0.318 u.  The product is
 * rounded by 0.0055 u, the power of the table is off by 0.842 u at most, and the last addition by u. Together,
 * with 1.006 for what e^r makes of them, 2.19 u < 2^-51.8 = 2.29 u. */
PORTABLE double exp_scaled(double x, int scale) /* times 2^scale, where that is a normal number */
{
    const double round = 0x1.8p52, shifted = x * 0x1.71547652b82fep+6 + round, k = shifted - round;
    const double r = (x - k * 0x1.62e42fefa0000p-7) - k * 0x1.cf79abc9e3b3ap-46, r2 = r * r;
    const double p = r + r2 * ((0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120)));
    const uint64_t bits = double_bits(shifted), j = bits % ELEMENTARY_POWERS;
    const uint64_t exponent = ((bits - j) << (52 - 6)) + ((uint64_t)(int64_t)scale << 52);
    const double power = double_from_bits(double_bits(elementary_powers[j]) + exponent);
    return power + power * p;
}

PORTABLE double exp_of(double x)
{
    return exp_scaled(x, 0);
}

/* The scale keeps all that is finite among the normal numbers, and the last product rounds what is none. */
PORTABLE double exp_any(double x)
{
    if (!(x > -746 && x < 710))
        return x < 0 ? 0 : x * 0x1p1023; /* 710 and more: infinite; NaN */
    return x < 0 ? exp_scaled(x, 128) * 0x1p-128 : exp_scaled(x, -128) * 0x1p128;
}

/* 2^y rounded to binary32, more or less: no table and no binary64 but the sum EXP2_SHIFT + y, which the caller makes.
 * That rounds y to a multiple of 2^-32 and leaves it in the sum's last bits: f in [-1/2, 1/2) in 32 of them, to be read
 * as a signed number, k above.  2^y = 2^k (1 + f p(f)); the error is one of rounding, and 2^-33 of the sum. */
#define EXP2_SHIFT 0x1.8p20

PORTABLE float exp2_of(double shifted)
{
    const uint64_t bits = double_bits(shifted);
    const float f = (float)(int32_t)(uint32_t)bits * 0x1p-32f;
    const float p = 0x1.62e430p-1f +
                    f * (0x1.ebfbe0p-3f +
                         f * (0x1.c6af6cp-5f + f * (0x1.3b2a54p-7f + f * (0x1.5f0890p-10f + f * 0x1.44138ap-13f))));
    const uint32_t k = (uint32_t)((bits + 0x80000000u) >> 32);
    return float_from_bits(float_bits(1 + f * p) + (k << 23));
}

/* By a product in binary64, which moves the sum by less than 2^-46 of the value. */
PORTABLE double exp_fast(double x)
{
    const double y = x * 0x1.71547652b82fep+0, beyond = y < 0 ? 0 : y * 0x1p1023; /* NaN, too */
    return y >= -126 && y <= 126 ? (double)exp2_of(EXP2_SHIFT + y) : beyond;
}

/* u = 2^k m, 1/sqrt(2) <= m < sqrt(2), s = (m - 1) / (m + 1):  log(u) = k log 2 + s p(s^2).
 *
 * Proof, u = 2^-53: m - 1 is exact; m + 1 and the quotient are rounded by u each, and the sum 2 s + ... by u, of the
 * part of m.  What is added to 2 s is less than 0.0101 of it, and off by less than 8 u of itself; the polynomial leaves
 * out 0.5 u.  So k = 0: 3.6 u.  Else the sum is at least log(2)/2, which the part of m never exceeds: near that end |s|
 * is above 1/8 and m + 1 above 2 or below 1.75, where the four roundings, the last one too, are 0.83, 0.73, 0.73 and
 * 0.73 u of log(2)/2; towards m = 1 the part of m falls faster than the sum.  Less than 4 u = LOG_ERROR. */
PORTABLE double log_of(double u)
{
    const uint64_t bits = double_bits(u), sqrt_half = 0x3fe6a09e667f3bcd;
    const int k = (int)((bits - sqrt_half) >> 52) - ((bits < sqrt_half) ? 4096 : 0);
    const double m = double_from_bits(bits - ((uint64_t)(int64_t)k << 52));
    const double s = (m - 1) / (m + 1), v = s * s;
    const double p =
        0x1.5555555555555p-1 +
        v * (0x1.9999999999ee0p-2 +
             v * (0x1.249249241f857p-2 +
                  v * (0x1.c71c726358ec5p-3 +
                       v * (0x1.745cdb9f0b4c8p-3 +
                            v * (0x1.3b2109cc7b988p-3 + v * (0x1.0f55accc791adp-3 + v * 0x1.0f9b9e3c7c9f8p-3))))));
    return k * 0x1.62e42feep-1 + (2 * s + (s * (v * p) + k * 0x1.a39ef35793c76p-33));
}

PORTABLE double log_any(double u)
{
    const double infinite = double_from_bits(UINT64_C(0x7ff) << 52);
    if (!(u >= 0x1p-1022 && u < infinite))
        return u > 0 && u < 1 ? log_of(u * 0x1p64) - 0x1.62e42fefa39efp+5
               : u == 0       ? -infinite
               : u > 0        ? u
                              : (u - u) / (u - u);
    return log_of(u);
}

/* f pi/4 (1 + ...), in powers of f^2. */
PORTABLE double sine_of_octant(double f)
{
    const double v = f * f, v2 = v * v, low = -0x1.4abbce625be41p-4 + v * 0x1.466bc677587f8p-9;
    const double mid = -0x1.32d2cce2e5b19p-15 + v * 0x1.50782fda12d96p-22;
    const double high = -0x1.e30071afc3e59p-30 + v * 0x1.e3f38399551bfp-38;
    return f * (0x1.921fb54442d18p-1 + v * (low + v2 * (mid + v2 * high)));
}

/* 1 - (f pi/4)^2 / 2 + ... */
PORTABLE double cosine_of_octant(double f)
{
    const double v = f * f, v2 = v * v, low = 0x1.03c1f081b5ac0p-6 + v * -0x1.55d3c7e3cb241p-12;
    const double mid = 0x1.e1f5068688d5bp-19 + v * -0x1.a6d1eef479be1p-26;
    const double high = 0x1.f9ce245cada0bp-34 + v * -0x1.b2f3eb054afcdp-42;
    return 1 + v * (-0x1.3bd3cc9be45dep-2 + v * (low + v2 * (mid + v2 * high)));
}
