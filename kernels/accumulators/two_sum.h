/* Compensated summation without a branch: TwoSum finds the rounding error of every addition, which is kept apart in
 * `lost` and joins the sum once, at the end (Sum2; Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26 (2005)).
 *
 *   1 + 2^60 + 1 - 2^60:  sum 1, 2^60, 2^60, 0;  lost 0, 1, 2, 2;  result 2 where Kahan and plain give 0
 *
 * Both this and neumaier find the error exactly, and so have the same bits wherever no intermediate overflows.
 *
 * Bound: u/(1+u) |s| + (1+u) D2 S with D2 = min(((1+u/(1+u))^(h-1) - 1)^2, (n-1)(n-2)u^2) (docs/bounds.md, P2).
 *
 * Merge: TwoSum of the sums; its error joins the sum of both losses.
 *
 * Special values: `sum` is bit for bit the plain sum of the same tree, and inf and NaN are sticky in it, so they are
 * returned from it.  It is also returned where it is finite and an intermediate of TwoSum was not.
 */
struct two_sum {
    real sum, lost;
};

PORTABLE struct two_sum two_sum_zero(void)
{
    struct two_sum s;
    s.sum = 0;
    s.lost = 0;
    return s;
}

PORTABLE struct two_sum two_sum_add(struct two_sum s, real x)
{
    real error;
    s.sum = two_sum(s.sum, x, &error);
    s.lost += error;
    return s;
}

PORTABLE struct two_sum two_sum_merge(struct two_sum a, struct two_sum b)
{
    struct two_sum s;
    real error;
    s.sum = two_sum(a.sum, b.sum, &error);
    s.lost = (a.lost + b.lost) + error;
    return s;
}

PORTABLE real two_sum_round(struct two_sum s)
{
    return is_finite(s.sum) && is_finite(s.lost) ? s.sum + s.lost : s.sum;
}

#ifndef __CUDACC__
static inline double two_sum_bound(const struct claim *of)
{
    const double inner = bound_second_order(of->n, of->height, REAL_U);
    return bound_unless_overflow(of, bound_last_rounding(of, REAL_U, inner));
}
#endif
