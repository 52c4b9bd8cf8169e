/* Means, variances and their like: one quotient of exact sums, or its root (reference/statistic.h has what each is, in
 * MPFR; here are integers, for libulpscope has none). */
#pragma once

#include "conclude.h"
#include "value.h"

#include "src/base/moments.h"

/* The sums that they are made of: of the numbers, their squares and their products. */
enum part { PART_X, PART_Y, PART_XX, PART_XY, PART_YY, PARTS };

/* Bit `part` of those that an operation needs. */
unsigned statistic_parts(ulpscope_operation operation);

struct signed_big {
    struct big magnitude;
    bool is_negative; /* of 0: that all terms are -0 */
};

/* Of a sum of finite terms: s, less the last term where that is left out; and sum |x_i|. */
struct signed_big sum_of(const struct added_sum *sum, bool without_last);
struct big abs_sum_of(const struct added_sum *sum);

/* What infinities and NaNs among the data make of it; 0 where there are none, or where it is defined by finite sums. */
double special_value(const struct problem *problem, const struct added_sum parts[PARTS]);

/* Of finite sums, what its bound takes. */
struct moments moments_of_sums(const struct problem *problem, const struct added_sum parts[PARTS]);

/* All of *error but its bound, as conclude_sum(); of sums that the operation needs.  Not defined, NaN: no number, n <=
 * ddof, weights that sum to 0, a cosine of zeros.  Errors of a root are up to 2^-48 of them above what they are. */
void conclude_statistic(const struct problem *problem, const struct added_sum parts[PARTS], const double *computed,
                        struct ulpscope_error *error);

/* What is said of the correct rounding of that of all numbers but the last; false: it is not defined. */
bool conclude_statistic_without_last(const struct problem *problem, const struct added_sum parts[PARTS],
                                     struct ulpscope_error *error);
