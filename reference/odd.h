/* Exact arithmetic, and quotients and roots rounded to odd: toward 0, and then the last bit set, so that they are above
 * or below every number of fewer bits as the value is, and round as it does. */
#pragma once

#include "src/base/fp.h"

#include <mpfr.h>

/* How many a value needs; and no more: products of long numbers take long. */
mpfr_prec_t exact_bits(const mpfr_t value);
void exact_shorten(mpfr_t value);

/* They initialise the result; *rounded is not 0 after a step that was not exact. */
void exact_set_count(mpfr_t result, uint64_t n);
void exact_multiply(int *rounded, mpfr_t result, const mpfr_t a, const mpfr_t b);
void exact_subtract(int *rounded, mpfr_t result, const mpfr_t a, const mpfr_t b);

/* Of what was rounded toward 0 with this ternary value; and a / b, or its root, which is of a number >= 0: in the
 * precision of the result.  Whether it was rounded. */
bool odd_rounded(mpfr_t result, int ternary);
bool odd_quotient(mpfr_t result, const mpfr_t a, const mpfr_t b, bool is_root);

/* How many bits a quotient, or its root, needs to be apart from all numbers of 53 bits that it is not, and 64 more. */
mpfr_prec_t odd_bits(const mpfr_t a, const mpfr_t b, bool is_root);
