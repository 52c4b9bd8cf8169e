/* A sum in two numbers, high and low: of binary32 49 bits, where binary64 is slow or missing.  DWPlusFP adds a number,
 * AccurateDWPlusDW merges (algorithms 4 and 6 of Joldes, Muller & Popescu, ACM Trans. Math. Softw. 44 (2017) 15res).
 * `low` is at most half an ulp of `high`.  No fma.
 *
 *   (2^24, 0) + 1 + 1:  (2^24, 1), then (2^24 + 2, 0)
 *   (2^50, 2^25) + 1:   (2^50, 2^25), the 1 is below the last bit of low
 *
 * Bound: u/(1+u) |s| + (1+u) ((1 + 3u^2/(1-4u))^(h-1) - 1) S, about u|s| + 3hu^2 S (docs/bounds.md, P5).
 *
 * Special values: a correction that is not finite is dropped, so that infinities stay infinities.  Beside an infinite
 * `high`, `low` means nothing; the TwoSum of an infinity has no finite error, so that it is dropped in its turn.
 */
struct double_float {
    real high, low;
};

PORTABLE struct double_float double_float_zero(void)
{
    struct double_float s;
    s.high = 0;
    s.low = 0;
    return s;
}

PORTABLE struct double_float double_float_add(struct double_float s, real x)
{
    real error;
    const real sum = two_sum(s.high, x, &error);
    s.high = fast_two_sum(sum, finite_or_zero(RN(s.low + error)), &s.low);
    return s;
}

/* Near the largest number sum + lows may overflow beside finite lows; its error is then infinite, and dropped. */
PORTABLE struct double_float double_float_merge(struct double_float a, struct double_float b)
{
    struct double_float s;
    real error, error_of_lows, error_of_high;
    const real sum = two_sum(a.high, b.high, &error);
    const real lows = two_sum(a.low, b.low, &error_of_lows);
    const real high = fast_two_sum(sum, finite_or_zero(RN(error + lows)), &error_of_high);
    s.high = fast_two_sum(high, finite_or_zero(RN(error_of_lows + error_of_high)), &s.low);
    return s;
}

PORTABLE double double_float_result(struct double_float s)
{
    return (double)s.high;
}

#undef TRAITS
#define TRAITS .kind = KIND_WIDER, .advantage = "the low part", .uncompensated = "plain"

#ifndef __CUDACC__
static inline int double_float_parts(struct double_float s, double parts[])
{
    parts[0] = (double)s.high;
    parts[1] = (double)s.low;
    return 2;
}

static inline double double_float_bound(const struct claim *of)
{
    const double u = REAL_U, each = round_up(3 * u * u / (1 - 4 * u));
    return bound_unless_overflow(of, bound_last_rounding(of, u, bound_growth(of->height - 1, each)));
}
#endif
