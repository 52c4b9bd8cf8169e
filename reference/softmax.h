/* Exact exponentials of a row, normalized, and their logarithms: each result rounded once.
 *
 *   {0, 0}              softmax 1/2 and 1/2; log_softmax -0.693.. twice; logsumexp 0.693..
 *   {0, -inf, 0, 0}     softmax 1/3, 0, 1/3, 1/3: an x that is -inf is masked
 *
 * With M the largest x, z_i = x_i - M, D = sum e^z_i, L = ln D and Y = sum y_i:
 *
 *                   s                          sum_abs, in which errors are counted
 *   logsumexp       M + L                      max(|M| + L, 1)
 *   softmax         e^z_i / D                  s
 *   log_softmax     z_i - L                    max(|s|, 1)
 *   cross_entropy   sum y_i (L - z_i)          max(s, Y)
 *
 * The 1: D is known to some u of it, and L to so many u, whatever L is.
 */
#pragma once

#include "exact_row.h"

/* Of x[0..period) repeated to length n (n <= period: of x[0..n)), as format_held() has numbers of the format.
 * EXACT_NAN, since nothing is defined: n = 0; a NaN or +inf; no x but -inf.  The counts, exponents and max_abs are
 * those of x, as exact_sum() has them.  Fails as exact_sum().
 *
 * sum and sum_abs are rounded to odd where they are not numbers, with so many bits that they, and their differences
 * from numbers of 53 bits, round as the values themselves do; below 2^-65536 values are not told apart. */
enum status exact_logsumexp(const struct format *format, struct exact_how how, const void *x, uint64_t period,
                            uint64_t n, struct exact_sum *exact);

/* y: the weights of the logarithms, such as probabilities.  A product with y_i = 0 is 0; with x_i = -inf and y_i > 0
 * the sum is +inf.  EXACT_NAN also of a y_i that is infinite, a NaN or negative.  Counts are those of x. */
enum status exact_cross_entropy(const struct format *format, struct exact_how how, const void *x, const void *y,
                                uint64_t period, uint64_t n, struct exact_sum *exact);

/* A result for each x, which have to outlive it.  Allocated; *row is NULL after a failure.  The logarithm of the
 * softmax of -inf is -inf, EXACT_INF. */
enum status exact_softmax_row(bool is_log, const struct format *format, struct exact_how how, const void *x, uint64_t n,
                              struct exact_row **row);
