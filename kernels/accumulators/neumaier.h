/* Neumaier's compensated summation (Neumaier, ZAMM 54 (1974) 39): the rounding error of every addition is kept apart
 * in `lost` and joins the sum once, at the end.  With TwoSum in place of his branch: the same bits (both find the error
 * exactly) without divergence.  Also known as Sum2 (Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26 (2005)).
 *
 *   1 + 2^60 + 1 - 2^60:  sum 1, 2^60, 2^60, 0;  lost 0, 1, 2, 2;  result 2 where Kahan and plain give 0
 *
 * Bound: u/(1+u) |s| + (1+u) D2 S with D2 = min(((1+u/(1+u))^(h-1) - 1)^2, (n-1)(n-2)u^2) (docs/bounds.md, P2).
 *
 * Merge: TwoSum of the sums; its error joins the sum of both losses.
 *
 * Special values: `sum` is bit for bit the plain sum of the same tree, and inf and NaN are sticky in it, so they are
 * returned from it.
 */
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

PORTABLE struct neumaier neumaier_add(struct neumaier s, real x)
{
    real error;
    s.sum = two_sum(s.sum, x, &error);
    s.lost += error;
    return s;
}

PORTABLE struct neumaier neumaier_merge(struct neumaier a, struct neumaier b)
{
    struct neumaier s;
    real error;
    s.sum = two_sum(a.sum, b.sum, &error);
    s.lost = (a.lost + b.lost) + error;
    return s;
}

PORTABLE real neumaier_round(struct neumaier s)
{
    const int nothing_to_join = !is_finite(s.sum) || !is_finite(s.lost) || s.lost == 0;
    return nothing_to_join ? s.sum : s.sum + s.lost;
}

#ifndef __CUDACC__
static inline double neumaier_bound(const struct claim *of)
{
    const double inner = bound_second_order(of->n, of->height, REAL_U);
    return bound_unless_overflow(of, bound_last_rounding(of, REAL_U, inner));
}
#endif
