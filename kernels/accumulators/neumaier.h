/* Neumaier's compensated summation (Neumaier, ZAMM 54 (1974) 39): the rounding error of every addition is kept apart in
 * `lost` and joins the sum once, at the end.  The larger operand is subtracted from the sum first, which leaves the
 * error exact (Dekker's FastTwoSum).
 *
 *   1 + 2^60 + 1 - 2^60:  sum 1, 2^60, 2^60, 0;  lost 0, 1, 2, 2;  result 2 where Kahan and plain give 0
 *
 * The branch is a select, so that replays vectorise and warps do not diverge: 4 additions, a comparison and two selects
 * where sum2 has 7 additions.  The bits are the same wherever no intermediate overflows.  Here none does unless the
 * sum does, so that near the largest number the error stays finite where TwoSum's may not:
 *
 *   -1.5 2^104 + FLT_MAX = FLT_MAX - 2^104, error -2^103; TwoSum rebuilds FLT_MAX as 2^128, its error is NaN
 *
 * Bound: u/(1+u) |s| + (1+u) D2 S with D2 = min(((1+u/(1+u))^(h-1) - 1)^2, (n-1)(n-2)u^2) (docs/bounds.md, P2).
 *
 * Merge: the sums as in an addition; the error joins the sum of both losses.
 *
 * Special values: `sum` is bit for bit the plain sum of the same tree, and inf and NaN are sticky in it, so they are
 * returned from it.
 */
#pragma once

struct neumaier {
    real sum, lost;
};

PORTABLE struct neumaier neumaier_zero(void)
{
    struct neumaier s;
    s.sum = 0;
    s.lost = 0;
    return s;
}

PORTABLE real neumaier_two_sum(real a, real b, real *error)
{
    const int a_is_larger = REAL_ABS(a) >= REAL_ABS(b);
    return fast_two_sum(a_is_larger ? a : b, a_is_larger ? b : a, error);
}

PORTABLE struct neumaier neumaier_add(struct neumaier s, real x)
{
    real error;
    s.sum = neumaier_two_sum(s.sum, x, &error);
    s.lost = RN(s.lost + error);
    return s;
}

PORTABLE struct neumaier neumaier_merge(struct neumaier a, struct neumaier b)
{
    struct neumaier s;
    real error;
    s.sum = neumaier_two_sum(a.sum, b.sum, &error);
    s.lost = RN(RN(a.lost + b.lost) + error);
    return s;
}

PORTABLE double neumaier_result(struct neumaier s)
{
    return (double)(is_finite(s.sum) && is_finite(s.lost) ? RN(s.sum + s.lost) : s.sum);
}

#undef TRAITS
#define TRAITS COMPENSATED_TRAITS

#ifndef __CUDACC__
static inline int neumaier_parts(struct neumaier s, double parts[])
{
    parts[0] = (double)s.sum;
    parts[1] = (double)s.lost;
    return 2;
}

static inline double neumaier_bound(const struct claim *of)
{
    const double inner = bound_second_order(of->n, of->height, REAL_U);
    return bound_unless_overflow(of, bound_last_rounding(of, REAL_U, inner));
}
#endif
