/* An exact number on its way out: rounded to a format, or as text.
 *
 *   1 + 2^-11 + 2^-60 rounds to 1 + 2^-10 in binary16, being above the tie of 1 and 1 + 2^-10.  Through binary64 it
 *   would be the tie, 2^-60 being lost there, and then 1, which is even.
 *
 * So every format gets the exact number, never another format's rounding of it.
 */
#pragma once

#include "src/base/fp.h"

#include <mpfr.h>

/* RN(value) in the format: one rounding, ties to even, subnormals and overflow included; a zero keeps its sign, and
 * what rounds to zero gives it its own.  binary64 holds the result of every format.  Allocates nothing. */
double exact_round(const mpfr_t value, const struct format *format);

/* The spacing of the format at value: 2^(e - p + 1) for 2^e <= |value| < 2^(e+1), but at least the least subnormal,
 * which it is at 0; beyond the range as if there were no end to it; NaN where value is not finite. */
void exact_set_ulp(mpfr_t ulp, const mpfr_t value, const struct format *format);

/* The same; INFINITY where binary64 cannot hold it: bfloat16's from 2^1031 on, binary64's own from 2^1076. */
double exact_ulp(const mpfr_t value, const struct format *format);

/* A number in full as C writes it, "-0x1.8p+3", "-0x0p+0", the least subnormal "0x1p-1074"; "inf", "-inf", "nan".
 * Allocated. */
char *exact_hex(const mpfr_t value);

/* To `digits` >= 1 significant decimal digits, to nearest, ties to even, as C writes them: "1.25e+04", "-0e+00".
 * Likewise. */
char *exact_decimal(const mpfr_t value, int digits);
