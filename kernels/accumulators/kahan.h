/* Kahan's compensated summation (Kahan, CACM 8 (1965) 40): the value of a state is sum - excess.
 *
 *   (2^24, 0) + 1:  y = 1, t = 2^24 (tie to even), excess = (t - 2^24) - 1 = -1
 *             + 1:  y = 1 - -1 = 2, t = 2^24 + 2, excess = 0          plain summation stays at 2^24
 *
 * Bound: u/(1+u) |s| + (1+u) [(1 + 2u + 2u^2)(1 + 5u^2)^(h-1) - 1] S, about u|s| + 2uS (docs/bounds.md, P4).  The
 * textbook's 2u in all is not a theorem: five numbers reach 2.24999 u S (tests/kernels/test_sums.c).
 *
 * Merge: TwoSum of the sums, both excesses and its error together, then renormalised.  The obvious merge, add(b.sum)
 * and add(-b.excess), rounds b.sum - a.excess for good in every merge: its bound is 2huS, no better than plain
 * summation.
 *
 * Result: sum, not sum - excess.  After an addition the excess is normally the rounding error of sum, so that the
 * difference rounds to sum again; where it does not, it was worse in 2848 of 3141 cases.
 *
 * Special values: an excess that is not finite is dropped, so that infinities stay infinities instead of becoming NaN,
 * and so that a finite sum near the largest number survives a TwoSum whose intermediate overflowed.
 */
#pragma once

struct kahan {
    real sum, excess;
};

PORTABLE struct kahan kahan_zero(void)
{
    struct kahan s;
    s.sum = 0;
    s.excess = 0;
    return s;
}

PORTABLE struct kahan kahan_add(struct kahan s, real x)
{
    const real y = RN(x - s.excess);
    const real t = RN(s.sum + y);
    const real excess = RN(RN(t - s.sum) - y);
    s.sum = t;
    s.excess = finite_or_zero(excess);
    return s;
}

PORTABLE struct kahan kahan_merge(struct kahan a, struct kahan b)
{
    struct kahan s;
    real error, low;
    const real t = two_sum(a.sum, b.sum, &error);
    const real excess = finite_or_zero(RN(RN(a.excess + b.excess) - error));
    s.sum = two_sum(t, -excess, &low);
    s.excess = 0 - finite_or_zero(low); /* +0 of two empty states, as in either */
    return s;
}

PORTABLE double kahan_result(struct kahan s)
{
    return (double)s.sum;
}

#undef TRAITS
#define TRAITS COMPENSATED_TRAITS

#ifndef __CUDACC__
static inline int kahan_parts(struct kahan s, double parts[])
{
    parts[0] = (double)s.sum;
    parts[1] = -(double)s.excess;
    return 2;
}

static inline double kahan_bound(const struct claim *of)
{
    const double u = REAL_U;
    const double inner = bound_compensated(of->height, 2 * u * (1 + u), 5 * u * u);
    return bound_unless_overflow(of, bound_last_rounding(of, u, inner));
}
#endif
