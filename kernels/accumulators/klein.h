/* Klein's second-order compensated summation (Klein, Computing 76 (2006) 279): the rounding errors of the sum are added
 * apart, and so are the rounding errors of that.
 *
 *   2^50 + 2^25 + 1 - 2^50 - 2^25:  sum 2^50, 2^50, 2^50, 0, -2^25;  lost 0, 2^25, 2^25, ...;  lost_again 0, 0, 1, ...
 *   result 1, where neumaier gives 0
 *
 * Bound: (u/(1+u) + u^2(1+u)) |s| + (1+u)^2 (D3 + u D2) S, D3 of third order in hu (docs/bounds.md, P3).
 *
 * Merge: TwoSum of the sums and of the losses, and of that with the error of the sums; three errors are left.
 *
 * Result: TwoSum of sum and lost, whose error joins lost_again first.  (sum + lost) + lost_again rounds the true value
 * twice; sum + (lost + lost_again) loses u |lost|, which spoils the third order.
 *
 * Special values: `sum` is bit for bit the plain sum of the same tree, and inf and NaN are sticky in it, so they are
 * returned from it.  It is also returned where it is finite and an intermediate of TwoSum was not; and where sum + lost
 * overflows it is the infinity, not the NaN that TwoSum's error would make of it.
 */
struct klein {
    real sum, lost, lost_again;
};

PORTABLE struct klein klein_zero(void)
{
    struct klein s;
    s.sum = 0;
    s.lost = 0;
    s.lost_again = 0;
    return s;
}

PORTABLE struct klein klein_add(struct klein s, real x)
{
    real error, error_of_lost;
    s.sum = two_sum(s.sum, x, &error);
    s.lost = two_sum(s.lost, error, &error_of_lost);
    s.lost_again = RN(s.lost_again + error_of_lost);
    return s;
}

PORTABLE struct klein klein_merge(struct klein a, struct klein b)
{
    struct klein s;
    real error, error_of_both, error_of_lost;
    s.sum = two_sum(a.sum, b.sum, &error);
    const real both = two_sum(a.lost, b.lost, &error_of_both);
    s.lost = two_sum(both, error, &error_of_lost);
    s.lost_again = RN(RN(a.lost_again + b.lost_again) + RN(error_of_both + error_of_lost));
    return s;
}

PORTABLE double klein_result(struct klein s)
{
    real error;
    if (!is_finite(s.sum) || !is_finite(s.lost))
        return (double)s.sum;
    const real joined = two_sum(s.sum, s.lost, &error);
    return (double)RN(joined + finite_or_zero(RN(error + s.lost_again)));
}

#undef TRAITS
#define TRAITS COMPENSATED_TRAITS

#ifndef __CUDACC__
static inline int klein_parts(struct klein s, double parts[])
{
    parts[0] = (double)s.sum;
    parts[1] = (double)s.lost;
    parts[2] = (double)s.lost_again;
    return 3;
}

static inline double klein_bound(const struct claim *of)
{
    const double u = REAL_U;
    if (of->n <= 1)
        return 0;
    const double last_roundings = round_up(bound_one_rounding(u) + u * u * (1 + u));
    const double inner = bound_third_order(of->n, of->height, u) + u * bound_second_order(of->n, of->height, u);
    const double losses = round_up((1 + u) * (1 + u) * inner);
    return bound_unless_overflow(of, round_up(last_roundings * of->abs_s + losses * of->sum_abs));
}
#endif
