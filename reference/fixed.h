/* The second opinion: the exact sum of binary32 numbers as one GMP integer at scale 2^-149.  It shares no code with
 * exact.c, not even the decoding of a number; tests hold the two to the same bits.
 */
#ifndef ULPSCOPE_FIXED_H
#define ULPSCOPE_FIXED_H

#include <gmp.h>
#include <stdint.h>

/* sum = s 2^149 and sum_abs = sum |x_i| 2^149; both initialised by the caller.  Finite data only. */
void fixed_sum(const float *x, uint64_t n, mpz_t sum, mpz_t sum_abs);

/* The bits of sum 2^-149 rounded to binary32, to nearest, ties to even. */
uint32_t fixed_nearest_bits(const mpz_t sum);

#endif
