/* Kahan that returns the value of its state, sum - excess.  Bound: kahan's, which also covers that value, rounded. */
#include "kahan.h"

struct kahan_value {
    struct kahan state;
};

PORTABLE struct kahan_value kahan_value_zero(void)
{
    struct kahan_value s;
    s.state = kahan_zero();
    return s;
}

PORTABLE struct kahan_value kahan_value_add(struct kahan_value s, real x)
{
    s.state = kahan_add(s.state, x);
    return s;
}

PORTABLE struct kahan_value kahan_value_merge(struct kahan_value a, struct kahan_value b)
{
    a.state = kahan_merge(a.state, b.state);
    return a;
}

PORTABLE double kahan_value_result(struct kahan_value s)
{
    return (double)RN(s.state.sum - s.state.excess);
}

#ifndef __CUDACC__
static inline int kahan_value_parts(struct kahan_value s, double parts[])
{
    return kahan_parts(s.state, parts);
}

static inline double kahan_value_bound(const struct claim *of)
{
    return kahan_bound(of);
}
#endif
