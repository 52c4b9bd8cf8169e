/* Kahan's summation whose states are merged as if they were data: b's sum is added to a, then what b lacks.  The merge
 * that everyone writes first, kept to show what it costs.
 *
 *   a = (2^24, -1), whose value is 2^24 + 1, and b = (3 2^24, 0):
 *   add 3 2^24:  y = 3 2^24 + 1 is rounded to 3 2^24, and the 1 is gone; kahan's merge keeps it as the excess
 *
 * Bound: u/(1+u) |s| + (1+u) [(1 + 2u(1 + 8u))^(h-1) - 1] S, about 2huS: no better than plain summation
 * (docs/bounds.md, P4).
 *
 * Special values: as in kahan.h, whose addition drops an excess that is not finite.
 */
#include "kahan.h"

struct kahan_naive_merge {
    struct kahan state;
};

PORTABLE struct kahan_naive_merge kahan_naive_merge_zero(void)
{
    struct kahan_naive_merge s;
    s.state = kahan_zero();
    return s;
}

PORTABLE struct kahan_naive_merge kahan_naive_merge_add(struct kahan_naive_merge s, real x)
{
    s.state = kahan_add(s.state, x);
    return s;
}

PORTABLE struct kahan_naive_merge kahan_naive_merge_merge(struct kahan_naive_merge a, struct kahan_naive_merge b)
{
    a.state = kahan_add(kahan_add(a.state, b.state.sum), -b.state.excess);
    return a;
}

PORTABLE double kahan_naive_merge_result(struct kahan_naive_merge s)
{
    return kahan_result(s.state);
}

#undef TRAITS
#define TRAITS .kind = KIND_UNCOMPENSATED, USUAL_TRAITS

#ifndef __CUDACC__
static inline int kahan_naive_merge_parts(struct kahan_naive_merge s, double parts[])
{
    return kahan_parts(s.state, parts);
}

static inline double kahan_naive_merge_bound(const struct claim *of)
{
    const double u = REAL_U;
    const double inner = bound_growth(of->height - 1, 2 * u * (1 + 8 * u));
    return bound_unless_overflow(of, bound_last_rounding(of, u, inner));
}
#endif
