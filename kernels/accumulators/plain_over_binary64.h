/* binary64 in a thread and plain additions above it: each merge rounds what it takes and what it gives, as where
 * partial sums of `double` go to shared memory as `float`.
 *
 *   (2^24 + 1) is kept by the thread that adds it up, and 2^24 when it is merged
 *
 * Bound: ((1 + u/(1+u))^h - 1) S: a path has h - 1 roundings of additions and merges, of which those in binary64 come
 * first, and one between the two.
 */
#include "binary64.h"

#ifndef ABSENT
struct plain_over_binary64 {
    struct binary64 state;
};

PORTABLE struct plain_over_binary64 plain_over_binary64_zero(void)
{
    struct plain_over_binary64 s;
    s.state = binary64_zero();
    return s;
}

PORTABLE struct plain_over_binary64 plain_over_binary64_add(struct plain_over_binary64 s, real x)
{
    s.state = binary64_add(s.state, x);
    return s;
}

#define plain_over_binary64_HAS_PAIRS 1
PORTABLE struct plain_over_binary64 plain_over_binary64_add_pair(struct plain_over_binary64 s, real product, real error)
{
    s.state = binary64_add_pair(s.state, product, error);
    return s;
}

PORTABLE struct plain_over_binary64 plain_over_binary64_merge(struct plain_over_binary64 a,
                                                              struct plain_over_binary64 b)
{
    a.state.sum = (double)RN((real)a.state.sum + (real)b.state.sum);
    return a;
}

PORTABLE double plain_over_binary64_result(struct plain_over_binary64 s)
{
    return (double)(real)s.state.sum;
}

#undef TRAITS
#define TRAITS .kind = KIND_UNCOMPENSATED, .advantage = "binary64", .narrow = "plain", .state = &FORMAT_BINARY64

#ifndef __CUDACC__
static inline int plain_over_binary64_parts(struct plain_over_binary64 s, double parts[])
{
    return binary64_parts(s.state, parts);
}

static inline double plain_over_binary64_bound(const struct claim *of)
{
    return bound_unless_overflow(of, round_up(bound_growth(of->height, bound_one_rounding(REAL_U)) * of->sum_abs));
}
#endif
#endif
