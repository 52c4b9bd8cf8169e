/* The exact sum of n numbers, by MPFR with a precision at which no addition can round.
 *
 * Exactness is not assumed but checked: an mpfr_add whose ternary value is not 0 stops the run.
 */
#ifndef ULPSCOPE_EXACT_H
#define ULPSCOPE_EXACT_H

#include "../src/fp.h"
#include "../src/status.h"

#include <mpfr.h>

enum exact_kind { EXACT_FINITE, EXACT_INF, EXACT_NAN };

struct exact_sum {
    const struct format *format; /* of the data, and of nearest and ulp */
    uint64_t n;
    enum exact_kind kind; /* by IEEE rules: a NaN or both infinities make the sum NaN, one infinity makes it infinite */
    mpfr_t sum;           /* s; +-Inf or NaN according to kind; +0 for no data and for every sum that is 0 */
    mpfr_t sum_abs;       /* sum |x_i|, exact, over the finite data */
    double condition;     /* sum_abs / |s|, rounded once; 1 for s = sum_abs = 0, INFINITY for s = 0 alone, else NaN */
    double nearest;       /* RN(s) in the format, one rounding, ties to even; +-INFINITY beyond its range */
    double ulp;           /* spacing of the format at s; the least subnormal at 0; NaN when s is not finite */
    double abs_above;     /* |s| and sum_abs, rounded up: what bounds take */
    double sum_abs_above;
    double max_abs; /* the largest |x_i| of the finite data; 0 when there is none */
    uint64_t nans, positive_infinities, negative_infinities, negative_zeros, subnormals;
};

/* Bits that hold any sum of n numbers of the format: 277 + ceil(log2 n) for binary32. */
mpfr_prec_t exact_precision(const struct format *format, uint64_t n);

/* Sums x[0..n), elements of the format.  On success the caller calls exact_free.  NOT_MEASURED: an addition rounded. */
enum status exact_sum(const struct format *format, const void *x, uint64_t n, struct exact_sum *exact);

/* The same for x[0..period) repeated to length n: element i is x[i mod period]; period >= 1.  As cheap as two periods:
 *
 *   s = (n div period) (x_0 + ... + x_period-1) + x_0 + ... + x_(n mod period)-1 */
enum status exact_sum_repeated(const struct format *format, const void *x, uint64_t period, uint64_t n,
                               struct exact_sum *exact);
void exact_free(struct exact_sum *exact);

/* RN(value) in the format: one rounding, ties to even, subnormals and overflow included. */
double exact_round(const mpfr_t value, const struct format *format);

/* A number in full as C writes it, "-0x1.8p+3"; "inf", "-inf", "nan".  Allocated; NULL when memory is short. */
char *exact_hex(const mpfr_t value);

/* To `digits` significant decimal digits, rounded to nearest: "1.25e+04".  Likewise. */
char *exact_decimal(const mpfr_t value, int digits);

#endif
