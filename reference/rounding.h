/* An exact number on its way out: rounded to a format, or as text. */
#ifndef ULPSCOPE_ROUNDING_H
#define ULPSCOPE_ROUNDING_H

#include "../src/fp.h"

#include <mpfr.h>

/* RN(value) in the format: one rounding, ties to even, subnormals and overflow included.  binary64 holds the result of
 * every format. */
double exact_round(const mpfr_t value, const struct format *format);

/* The spacing of the format at value: 2^(e - p + 1) for 2^e <= |value| < 2^(e+1), but at least the least subnormal,
 * which it is at 0; beyond the range as if there were no end to it; NaN where value is not finite. */
double exact_ulp(const mpfr_t value, const struct format *format);

/* A number in full as C writes it, "-0x1.8p+3"; "inf", "-inf", "nan".  Allocated; NULL when memory is short. */
char *exact_hex(const mpfr_t value);

/* To `digits` significant decimal digits, rounded to nearest: "1.25e+04".  Likewise. */
char *exact_decimal(const mpfr_t value, int digits);

#endif
