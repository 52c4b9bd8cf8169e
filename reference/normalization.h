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

#include "exact.h"

struct exact_row; /* the sums of one row */

/* Of x[0..n), as format_held() has numbers of the format, which have to outlive it; is_centred: a layer norm; eps >= 0.
 * Allocated; *row is NULL after a failure, which is that of exact_sum(). */
enum status exact_row_new(bool is_centred, double eps, const struct format *format, struct exact_how how, const void *x,
                          uint64_t n, struct exact_row **row);
void exact_row_free(struct exact_row *row);

/* What bounds take of it. */
const struct moments *exact_row_moments(const struct exact_row *row);

/* Element i: sum and sum_abs as exact_statistic() has them, rounded to odd where they have no end.  The kind is
 * EXACT_NAN of all elements where a number is NaN or infinite, or root(v + eps) is 0. */
enum status exact_row_element(const struct exact_row *row, uint64_t i, struct exact_sum *exact);

/* Elements first .. first + count, held to `computed`, which is as format_held(result) has numbers; workers: threads.
 */
enum status exact_row_elements(const struct exact_row *row, const struct format *result, const void *computed,
                               uint64_t first, uint64_t count, unsigned workers, struct exact_element *elements);
