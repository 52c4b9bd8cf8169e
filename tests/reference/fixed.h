/* The second opinion: the exact sum as one GMP integer, in units of the format's least subnormal or of its square.  It
 * shares no code with exact.c, not even the decoding of a number; tests hold the two to the same bits.
 *
 *   binary32 1.5f + -0x1p-149f      sum = 3 2^148 - 1      sum_abs = 3 2^148 + 1
 *   to binary32: 0x3fc00000         to binary16: 0x3e00
 */
#ifndef ULPSCOPE_FIXED_H
#define ULPSCOPE_FIXED_H

#include "src/base/fp.h"

#include <gmp.h>

/* sum = s 2^149 and sum_abs = sum |x_i| 2^149 of binary32, 2^1074 of binary64; both initialised by the caller.  x[0..n)
 * are finite elements of the format. */
void fixed_sum(const struct format *format, const void *x, uint64_t n, mpz_t sum, mpz_t sum_abs);

/* The same of the products x_i y_i, in units of the least subnormal's square: s 2^298, s 2^2148. */
void fixed_dot(const struct format *format, const void *x, const void *y, uint64_t n, mpz_t sum, mpz_t sum_abs);

/* The bits, of format `to`, of a sum over elements of `from` rounded to nearest, ties to even.  0 is +0. */
uint64_t fixed_nearest_bits(const struct format *from, const mpz_t sum, const struct format *to);

#endif
