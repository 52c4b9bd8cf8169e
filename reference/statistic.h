/* Exact means, variances and cosines: one quotient of exact sums, or its root, rounded once.
 *
 *   mean of {3e38f, 3e38f}          3e38 (float), though their sum is out of range
 *   variance of {1, 2, 4}, ddof 0   (3 21 - 7^2) / (3 3) = 14/9: is_rounded, nearest 0x1.8e38e4p+0 in binary32
 *
 * With s = sum x_i, S = sum |x_i|, Q = sum x_i^2, N = n - ddof:
 *
 *                        sum                         sum_abs              condition
 *   EXACT_MEAN           s / n                       S / n                S / |s|
 *   EXACT_MEAN_SQUARE    Q / n                       Q / n                1
 *   EXACT_RMS            root of Q / n               likewise             1
 *   EXACT_VARIANCE       (n Q - s^2) / (n N)         Q / N                kappa^2
 *   EXACT_STD            root of the variance        root of Q / N        kappa = ||x|| / ||x - s/n||
 *   EXACT_MEAN_WEIGHTED  sum x y / sum y             sum |x y| / |sum y|  sum |x y| / |sum x y|: y are the weights
 *   EXACT_COSINE         sum x y / root(Q_x Q_y)     sum |x y| / root(Q_x Q_y)           likewise
 */
#pragma once

#include "exact.h"

enum exact_statistic {
    EXACT_MEAN,
    EXACT_MEAN_SQUARE,
    EXACT_RMS,
    EXACT_VARIANCE,
    EXACT_STD,
    EXACT_MEAN_WEIGHTED,
    EXACT_COSINE
};

/* The statistic of x[0..n), and of y[0..n) where it is one of two vectors (else NULL); ddof is that of variance and
 * std.  sum and sum_abs are the table's, each exact where it ends in binary; else it is rounded to odd, with 64 bits
 * more than any number of a format that is not the value needs to differ from it: it is above or below a number as the
 * value is, and rounds as the value does.  is_rounded and sum_abs_is_rounded say so.  Counts, exponents and max_abs are
 * those of x, or of the products x_i y_i as exact_dot() has them.
 *
 * The kind is EXACT_NAN where nothing is defined: n = 0; N <= 0; a NaN; infinities of both signs in a mean (but a mean
 * of squares, or its root, is then +Inf), any in a variance or std, in which each algorithm has Inf - Inf, any in a
 * cosine or in weights; weights that sum to 0; a cosine with a vector of zeros.  sum_abs is NaN where the kind is not
 * EXACT_FINITE.  Fails as exact_sum(). */
enum status exact_statistic(enum exact_statistic of, uint64_t ddof, const struct format *format, struct exact_how how,
                            const void *x, const void *y, uint64_t n, struct exact_sum *exact, struct moments *moments);

/* What it is made of: exact sums of one vector or of products, as a set of 1 << EXACT_X and so on; 1 << EXACT_ENDS: and
 * the first, the least and the largest x, which bounds take. */
enum exact_part { EXACT_X, EXACT_Y, EXACT_XX, EXACT_XY, EXACT_YY, EXACT_SUMS, EXACT_ENDS = EXACT_SUMS };
unsigned exact_statistic_parts(enum exact_statistic of);

struct exact_ends {
    double first, least, largest;
};

/* Of n > 0 finite numbers, as format_held() has them. */
struct exact_ends exact_ends_of(const struct format *format, unsigned workers, const void *x, uint64_t n);

/* The statistic of n numbers whose parts are made: all fields and bits of exact_statistic().  Frees the sums. */
enum status exact_statistic_of_sums(enum exact_statistic of, uint64_t ddof, uint64_t n,
                                    struct exact_sum sums[EXACT_SUMS], const struct exact_ends *ends,
                                    struct exact_sum *exact, struct moments *moments);

/* The same of x[0..period) and y[0..period) repeated to length n, as exact_sum_repeated() has them. */
enum status exact_statistic_repeated(enum exact_statistic of, uint64_t ddof, const struct format *format, const void *x,
                                     const void *y, uint64_t period, uint64_t n, struct exact_sum *exact,
                                     struct moments *moments);

/* NaN but for n, rounded up. */
struct moments no_moments(uint64_t n);
