/* Means, variances and their like: one quotient of exact sums, or its root (reference/statistic.h has what each is, in
 * MPFR; here are integers, for libulpscope has none). */
#pragma once

#include "conclude.h"

/* The sums that they are made of: of the numbers, their squares and their products. */
enum part { PART_X, PART_Y, PART_XX, PART_XY, PART_YY, PARTS };

/* Bit `part` of those that an operation needs. */
unsigned statistic_parts(ulpscope_operation operation);

/* All of *error but its bound, as conclude_sum(); of sums that the operation needs.  Not defined, NaN: no number, n <=
 * ddof, weights that sum to 0, a cosine of zeros.  Errors of a root are up to 2^-48 of them above what they are. */
void conclude_statistic(const struct problem *problem, const struct added_sum parts[PARTS], const double *computed,
                        struct ulpscope_error *error);

/* What is said of the correct rounding of that of all numbers but the last; false: it is not defined. */
bool conclude_statistic_without_last(const struct problem *problem, const struct added_sum parts[PARTS],
                                     struct ulpscope_error *error);
