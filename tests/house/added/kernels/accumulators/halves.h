/* Additions of a number in two halves: twice as many roundings as plain's, and no better for it.
 *
 *   1 + 3u  ->  1 + 1.5u is 1 + 2u, and + 1.5u is 1 + 4u (binary32; plain: 1 + 4u)
 *   1 + u   ->  1 + 0.5u is 1, twice
 *
 * Bound: ((1 + u)^2h - 1) S, and of each number and merge what its halves lose among subnormals: 4 n of the least are
 * more.
 */
struct halves {
    real sum;
};

PORTABLE struct halves halves_zero(void)
{
    struct halves s;
    s.sum = 0;
    return s;
}

PORTABLE struct halves halves_add(struct halves s, real x)
{
    const real half = RN(x * (real)0.5);
    s.sum = RN(RN(s.sum + half) + half);
    return s;
}

PORTABLE struct halves halves_merge(struct halves a, struct halves b)
{
    return halves_add(a, b.sum);
}

PORTABLE double halves_result(struct halves s)
{
    return (double)s.sum;
}

#undef TRAITS
#define TRAITS .advantage = "the halves", .uncompensated = "plain" /* is left where nothing is halved */

#ifndef __CUDACC__
static inline int halves_parts(struct halves s, double parts[])
{
    parts[0] = (double)s.sum;
    return 1;
}

static inline double halves_bound(const struct claim *of)
{
    const double lost = 4 * of->n * ldexp(1, REAL_FORMAT.least_exponent);
    return bound_unless_overflow(of, round_up(bound_growth(2 * of->height, REAL_U) * of->sum_abs + lost));
}
#endif
