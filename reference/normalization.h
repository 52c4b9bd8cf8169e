/* Exact layer norms and RMS norms: of each number of a row (x - m) / root(v + eps), rounded once.
 *
 *   layer norm of {1, 3}, eps 0    m = 2, v = 1: -1 and 1
 *
 * With s = sum x_i, S = sum |x_i|, Q = sum x_i^2, all exact, an element and its sum_abs are
 *
 *   layer norm   (n x - s) / root(n Q - s^2 + n^2 eps)       (n |x| + S) / root(...): x and s may cancel
 *   RMS norm     root of n x^2 / (Q + n eps), x's sign       the same
 */
#pragma once

#include "exact_row.h"

/* Of x[0..n), as format_held() has numbers of the format, which have to outlive it; is_centred: a layer norm; eps >= 0.
 * Allocated; *row is NULL after a failure, which is that of exact_sum().
 *
 * sum and sum_abs of an element are as exact_statistic() has them, rounded to odd where they have no end.  The kind is
 * EXACT_NAN of all elements where a number is NaN or infinite, or root(v + eps) is 0. */
enum status exact_norm_row(bool is_centred, double eps, const struct format *format, struct exact_how how,
                           const void *x, uint64_t n, struct exact_row **row);
