/* Compensated summation without a branch: TwoSum finds the rounding error of every addition, which is kept apart in
 * `lost` and joins the sum once, at the end (Sum2; Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26 (2005)).
 *
 *   1 + 2^60 + 1 - 2^60:  sum 1, 2^60, 2^60, 0;  lost 0, 1, 2, 2;  result 2 where Kahan and plain give 0
 *
 * Both this and neumaier find the error exactly, and so have the same bits wherever no intermediate overflows.  The
 * state, the round and the bound are neumaier's.
 *
 * Bound: u/(1+u) |s| + (1+u) D2 S with D2 = min(((1+u/(1+u))^(h-1) - 1)^2, (n-1)(n-2)u^2) (docs/bounds.md, P2).
 *
 * Merge: TwoSum of the sums; its error joins the sum of both losses.
 *
 * Special values: `sum` is bit for bit the plain sum of the same tree, and inf and NaN are sticky in it, so they are
 * returned from it.  It is also returned where it is finite and an intermediate of TwoSum was not.
 */
#include "neumaier.h"

struct sum2 {
    struct neumaier state;
};

PORTABLE struct sum2 sum2_zero(void)
{
    struct sum2 s;
    s.state = neumaier_zero();
    return s;
}

PORTABLE struct sum2 sum2_add(struct sum2 s, real x)
{
    real error;
    s.state.sum = two_sum(s.state.sum, x, &error);
    s.state.lost = RN(s.state.lost + error);
    return s;
}

PORTABLE struct sum2 sum2_merge(struct sum2 a, struct sum2 b)
{
    struct sum2 s;
    real error;
    s.state.sum = two_sum(a.state.sum, b.state.sum, &error);
    s.state.lost = RN(RN(a.state.lost + b.state.lost) + error);
    return s;
}

PORTABLE double sum2_result(struct sum2 s)
{
    return neumaier_result(s.state);
}

#undef TRAITS
#define TRAITS COMPENSATED_TRAITS

#ifndef __CUDACC__
static inline int sum2_parts(struct sum2 s, double parts[])
{
    return neumaier_parts(s.state, parts);
}

static inline double sum2_bound(const struct claim *of)
{
    return neumaier_bound(of);
}
#endif
