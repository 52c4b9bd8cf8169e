/* exp, log, sine and cosine for the elements of families: binary64, made of + - * / and bits alone, so that gcc, clang
 * and nvcc give the same bits; no contraction (docs/architecture.md, "Same bits").  tests/test_families_random.c holds
 * their errors to MPFR:
 *
 *   exp_of(x)   |x| <= 700             relative error < 2^-52
 *   log_of(u)   2^-1022 <= u < inf     relative error < 2^-51
 *   sine_of_octant(f), cosine_of_octant(f): of f pi/4, 0 <= f <= 1     relative error < 2^-51
 *
 * Polynomials interpolate at the zeros of a Chebyshev polynomial, which leaves less than 2^-55 to the rounding.
 */
#ifndef ULPSCOPE_ELEMENTARY_H
#define ULPSCOPE_ELEMENTARY_H

#include "../src/fp.h"

PORTABLE double elementary_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

PORTABLE uint64_t elementary_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* x = k log 2 + r, |r| <= log(2) / 2:  exp(x) = 2^k (1 + r + r^2 q(r)).
 *
 * Adding 1.5 * 2^52 rounds to the nearest whole number, which then stands in the last bits; k times the upper 32 bits
 * of log 2 is exact. */
PORTABLE double exp_of(double x)
{
    const double round = 0x1.8p52;
    const double shifted = x * 0x1.71547652b82fep+0 + round, k = shifted - round;
    const double r = (x - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;
    const double r2 = r * r, r4 = r2 * r2;
    const double q01 = 0x1.0000000000001p-1 + r * 0x1.5555555555556p-3;
    const double q23 = 0x1.5555555553d68p-5 + r * 0x1.11111111109b5p-7;
    const double q45 = 0x1.6c16c17889f3cp-10 + r * 0x1.a01a01a7c2f2cp-13;
    const double q67 = 0x1.a019b914881bap-16 + r * 0x1.71de0db2eb873p-19;
    const double q89 = 0x1.28917c9f3a495p-22 + r * 0x1.af389eea54156p-26;
    const double q = (q01 + r2 * q23) + r4 * ((q45 + r2 * q67) + r4 * q89);
    const double power = elementary_from_bits((elementary_bits(shifted) + 1023) << 52);
    return power * (1 + (r + r2 * q));
}

/* u = 2^k m, 1/sqrt(2) <= m < sqrt(2), s = (m - 1) / (m + 1):  log(u) = k log 2 + s p(s^2). */
PORTABLE double log_of(double u)
{
    const uint64_t bits = elementary_bits(u), sqrt_half = 0x3fe6a09e667f3bcd;
    const int k = (int)((bits - sqrt_half) >> 52) - ((bits < sqrt_half) ? 4096 : 0);
    const double m = elementary_from_bits(bits - ((uint64_t)(int64_t)k << 52));
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

/* f pi/4 (1 + ...), in powers of f^2. */
PORTABLE double sine_of_octant(double f)
{
    const double v = f * f, v2 = v * v;
    const double low = -0x1.4abbce625be41p-4 + v * 0x1.466bc677587f8p-9;
    const double mid = -0x1.32d2cce2e5b19p-15 + v * 0x1.50782fda12d96p-22;
    const double high = -0x1.e30071afc3e59p-30 + v * 0x1.e3f38399551bfp-38;
    return f * (0x1.921fb54442d18p-1 + v * (low + v2 * (mid + v2 * high)));
}

/* 1 - (f pi/4)^2 / 2 + ... */
PORTABLE double cosine_of_octant(double f)
{
    const double v = f * f, v2 = v * v;
    const double low = 0x1.03c1f081b5ac0p-6 + v * -0x1.55d3c7e3cb241p-12;
    const double mid = 0x1.e1f5068688d5bp-19 + v * -0x1.a6d1eef479be1p-26;
    const double high = 0x1.f9ce245cada0bp-34 + v * -0x1.b2f3eb054afcdp-42;
    return 1 + v * (-0x1.3bd3cc9be45dep-2 + v * (low + v2 * (mid + v2 * high)));
}

#endif
