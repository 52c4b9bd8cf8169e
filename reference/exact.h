/* The exact sum of n numbers, and what follows from it: its correct rounding, its condition, its spacing.
 *
 * How numbers are added exactly is bins.h's subject; here their integers become MPFR numbers, with a ternary value of 0
 * at each step.  Exactness is not assumed but checked: a ternary value that is not 0 stops the run.
 */
#pragma once

#include "exact_element.h"
#include "rounding.h"
#include "src/base/fp.h"
#include "src/base/moments.h"
#include "src/base/status.h"

#include <stdbool.h>

struct exact_sum {
    const struct format *format; /* of the data, and of nearest and ulp */
    uint64_t n;
    enum exact_kind kind; /* by IEEE rules: a NaN or both infinities make the sum NaN, one infinity makes it infinite */
    mpfr_t sum;           /* s; +-Inf or NaN according to kind; a zero has the sign that docs/reference.md derives */
    mpfr_t sum_abs;       /* sum |x_i|, exact, over the finite data */
    bool is_rounded;      /* s has no end in binary, and sum is s rounded to odd: a root, or a quotient (statistic.h) */
    bool sum_abs_is_rounded; /* likewise */
    double condition; /* sum_abs / |s|, rounded once: INFINITY from 2^1024 on, which only binary64 reaches.  INFINITY
                         for s = 0 alone, 1 for s = sum_abs = 0; NaN where s is not finite */
    double nearest;   /* RN(s) in the format, one rounding, ties to even; +-INFINITY beyond its range */
    double ulp;       /* spacing of the format at s, see exact_ulp */
    double abs_above; /* |s| and sum_abs, rounded up: what bounds take */
    double sum_abs_above;
    double max_abs; /* the largest |x_i| of the finite data; 0 when there is none */
    /* Of the finite data that are not 0: 2^least <= |x_i| < 2^(largest+1), where subnormals count with the exponent of
     * the least normal number, as their encoding has it.  least > largest: there are none. */
    int least_exponent, largest_exponent;
    uint64_t nans, positive_infinities, negative_infinities, negative_zeros, subnormals;
    struct moments moments; /* of a statistic (statistic.h) */
};

/* How a sum is made; {0} will do. */
struct exact_how {
    unsigned workers; /* threads; 0: the caller's own */
    bool verify;      /* add every term with mpfr_add as well, and compare: 100 times as slow */
};

/* Bits that hold any sum of n numbers of the format, 277 + ceil(log2 n) for binary32, or of n products, 554 + ... */
mpfr_prec_t exact_precision(const struct format *format, uint64_t n);
mpfr_prec_t exact_dot_precision(const struct format *format, uint64_t n);

/* Sums x[0..n), numbers of the format as format_held() has them: binary64, or binary32 for all others.  On success the
 * caller calls exact_free.  NOT_MEASURED, with *exact empty: memory is short, a step rounded, or the verification found
 * a difference. */
enum status exact_sum(const struct format *format, const void *x, uint64_t n, struct exact_sum *exact);
enum status exact_sum_how(const struct format *format, struct exact_how how, const void *x, uint64_t n,
                          struct exact_sum *exact);

/* The sum of the products x_i y_i, each of them exact.  Wherever exact_sum speaks of x_i this one means the product:
 * the counts (Inf 0 is a NaN; a zero has the sign of its product), sum_abs, condition, the exponents, which are those
 * of the products themselves, however small they are; subnormals counts the products other than 0 below the least
 * normal number of the format.  max_abs is the largest of them rounded up to binary64, so that it is no less than it;
 * it may be INFINITY where binary64 products are beyond its range. */
enum status exact_dot(const struct format *format, struct exact_how how, const void *x, const void *y, uint64_t n,
                      struct exact_sum *exact);

/* Makes of a sum of squares its root, s = sqrt(x_0^2 + x_1^2 + ...).  sum is s where that is a number of so many bits;
 * else it is rounded to odd, with 64 bits more than any number of a format that is not s needs to differ from it: it is
 * above or below a number as s is, and rounds as s does.  sum_abs becomes s too: no relative change of all x_i moves s
 * by more than itself, so that the condition is 1.  max_abs, the exponents and the counts remain those of the squares.
 */
void exact_root(struct exact_sum *exact);

/* The sum of x[0..period) repeated to length n: element i is x[i mod period]; period >= 1.  As cheap as two periods:
 *
 *   s = (n div period) (x_0 + ... + x_period-1) + x_0 + ... + x_(n mod period)-1 */
enum status exact_sum_repeated(const struct format *format, const void *x, uint64_t period, uint64_t n,
                               struct exact_sum *exact);

/* The same of the products x_i y_i, both repeated. */
enum status exact_dot_repeated(const struct format *format, const void *x, const void *y, uint64_t period, uint64_t n,
                               struct exact_sum *exact);

/* What follows from the totals and counts of n numbers, or products, of the format: of bins that are folded.  As
 * exact_sum() otherwise. */
struct bins;
enum status exact_of_bins(const struct format *format, const struct bins *folded, uint64_t n, struct exact_sum *exact);

/* Leaves it empty; an empty one, all zeros, has nothing to free. */
void exact_free(struct exact_sum *exact);

/* A sum of numbers that come in pieces.  Allocated; *stream is NULL after a failure, or when memory is short. */
struct exact_stream;
enum status exact_stream_new(const struct format *format, struct exact_how how, struct exact_stream **stream);
enum status exact_stream_add(struct exact_stream *stream, const void *x, uint64_t n);

/* The sum of all pieces.  Frees the stream, also when it fails; *exact is then empty. */
enum status exact_stream_end(struct exact_stream *stream, struct exact_sum *exact);
void exact_stream_free(struct exact_stream *stream);
