/* Kahan's summation in binary64 (see kahan.h): the value of a state is sum - excess, rounded to binary32 once, at the
 * end.
 *
 *   2^53 + 1 + 1:  excess -1, then 2^53 + 2, where binary64 stays at 2^53
 *
 * Bound: u/(1+u) |s| + (1+u) (v|s| + (1+v) [(1 + 2v + 2v^2)(1 + 5v^2)^(h-1) - 1] S), u of the result and v = 2^-53:
 * about u|s| + 2vS (docs/bounds.md, P6).
 *
 * Merge: as kahan's, in binary64.
 *
 * Special values: sums of binary32 numbers do not overflow in binary64, so that an excess is finite, or NaN once an
 * infinity or NaN has been added.  A comparison with itself finds NaN: of all instructions on binary64, an addition has
 * 5 (its 4 and that comparison), where is_finite() would be a sixth.
 */
#if REAL_PRECISION == 53
#define ABSENT "it adds in binary64, which is kahan here"
#elif REAL_PRECISION < 24
#define ABSENT "it adds in binary64, which is no addition of this format: it is in the format that adds in binary32"
#else
struct binary64_kahan {
    double sum, excess;
};

PORTABLE struct binary64_kahan binary64_kahan_zero(void)
{
    struct binary64_kahan s;
    s.sum = 0;
    s.excess = 0;
    return s;
}

PORTABLE double binary64_kahan_number_or_zero(double v)
{
    return v == v ? v : 0;
}

PORTABLE double binary64_kahan_two_sum(double a, double b, double *error)
{
    const double sum = a + b;
    const double b_part = sum - a;
    const double a_part = sum - b_part;
    *error = (a - a_part) + (b - b_part);
    return sum;
}

PORTABLE struct binary64_kahan binary64_kahan_add_number(struct binary64_kahan s, double x)
{
    const double y = x - s.excess;
    const double t = s.sum + y;
    s.excess = binary64_kahan_number_or_zero((t - s.sum) - y);
    s.sum = t;
    return s;
}

PORTABLE struct binary64_kahan binary64_kahan_add(struct binary64_kahan s, real x)
{
    return binary64_kahan_add_number(s, (double)x);
}

#define binary64_kahan_HAS_PAIRS 1 /* what rounding took from a product and the product are one number */
PORTABLE struct binary64_kahan binary64_kahan_add_pair(struct binary64_kahan s, real product, real error)
{
    return binary64_kahan_add_number(s, (double)product + (double)error);
}

PORTABLE struct binary64_kahan binary64_kahan_merge(struct binary64_kahan a, struct binary64_kahan b)
{
    struct binary64_kahan s;
    double error, low;
    const double t = binary64_kahan_two_sum(a.sum, b.sum, &error);
    const double excess = binary64_kahan_number_or_zero((a.excess + b.excess) - error);
    s.sum = binary64_kahan_two_sum(t, -excess, &low);
    s.excess = 0 - binary64_kahan_number_or_zero(low);
    return s;
}

PORTABLE double binary64_kahan_result(struct binary64_kahan s)
{
    return s.sum;
}

#define binary64_kahan_ROUNDED_ONCE 1

#undef TRAITS
#define TRAITS .kind = KIND_WIDER, .advantage = "binary64", .uncompensated = "binary64", .narrow = "kahan"

#ifndef __CUDACC__
static inline int binary64_kahan_parts(struct binary64_kahan s, double parts[])
{
    parts[0] = s.sum;
    parts[1] = -s.excess;
    return 2;
}

static inline double binary64_kahan_bound(const struct claim *of)
{
    const double u = of->result_u, v = 0x1p-53;
    if (of->n <= 1)
        return 0;
    const double losses = round_up((1 + v) * bound_compensated(of->height, 2 * v * (1 + v), 5 * v * v));
    const double in_binary64 = round_up(v * of->abs_s + losses * of->sum_abs);
    return bound_unless_overflow(of, round_up(bound_one_rounding(u) * of->abs_s + (1 + u) * in_binary64));
}
#endif
#endif
