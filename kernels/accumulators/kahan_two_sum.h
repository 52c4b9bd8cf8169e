/* Kahan's summation with TwoSum inside the addition: 7 additions for 4, and the error of sum + y is exact even where y
 * is larger than the sum.  States, merge and result are kahan's.
 *
 *   3 + (2^24 + 2) + 1:  t = 2^24 + 4 (tie to even), excess -1; then y = 2 and t = 2^24 + 6, the exact sum
 *   kahan's excess is (t - 3) - y with t - 3 rounded to 2^24: -2; then y = 3 and t = 2^24 + 8
 *
 * Bound: u/(1+u) |s| + (1+u) [(1 + u)(1 + 3u^2)^(h-1) - 1] S, about u|s| + uS: the 2u that the textbook promises for
 * Kahan, and that five numbers take away from it (docs/bounds.md, P4).
 *
 * Special values: as in kahan.h.
 */
#include "kahan.h"

struct kahan_two_sum {
    struct kahan state;
};

PORTABLE struct kahan_two_sum kahan_two_sum_zero(void)
{
    struct kahan_two_sum s;
    s.state = kahan_zero();
    return s;
}

PORTABLE struct kahan_two_sum kahan_two_sum_add(struct kahan_two_sum s, real x)
{
    real error;
    s.state.sum = two_sum(s.state.sum, RN(x - s.state.excess), &error);
    s.state.excess = 0 - finite_or_zero(error);
    return s;
}

PORTABLE struct kahan_two_sum kahan_two_sum_merge(struct kahan_two_sum a, struct kahan_two_sum b)
{
    a.state = kahan_merge(a.state, b.state);
    return a;
}

PORTABLE double kahan_two_sum_result(struct kahan_two_sum s)
{
    return kahan_result(s.state);
}

#undef TRAITS
#define TRAITS COMPENSATED_TRAITS

#ifndef __CUDACC__
static inline int kahan_two_sum_parts(struct kahan_two_sum s, double parts[])
{
    return kahan_parts(s.state, parts);
}

static inline double kahan_two_sum_bound(const struct claim *of)
{
    const double u = REAL_U;
    const double inner = bound_compensated(of->height, u, 3 * u * u);
    return bound_unless_overflow(of, bound_last_rounding(of, u, inner));
}
#endif
