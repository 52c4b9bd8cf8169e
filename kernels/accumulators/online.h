/* The maximum and the sum of exp(x - maximum) as one goes: a new maximum rescales the sum (Milakov and Gimelshein,
 * arXiv:1805.02867 (2018)); of two states that with the smaller maximum is rescaled.
 *
 *   {0, 1, 0}:  1 of 0; 1 exp(0 - 1) + 1 = 1.37 of 1; 1.37 + exp(0 - 1) = 1.74 of 1
 *
 * A masked number, -infinity, changes nothing.  Its result is the sum, which is 0 of no numbers alone: a maximum
 * adds 1. kernels/statistics.def has it.  Bound: kernels/softmax_bound.c.
 */
#include "src/base/elementary.h"

struct online {
    real most, sum;
};

/* Rounded once. */
PORTABLE real online_real(double value)
{
#if REAL_PRECISION >= 24
    return (real)value;
#elif defined(__CUDACC__)
    return real(HALF(value));
#else
    return (real)rounded_to(value, &REAL_FORMAT);
#endif
}

PORTABLE struct online online_zero(void)
{
    struct online s;
    s.most = online_real(double_from_bits(UINT64_C(0xfff) << 52));
    s.sum = 0;
    return s;
}

PORTABLE struct online online_merge(struct online a, struct online b)
{
    if (a.sum == 0 || b.sum == 0)
        return a.sum == 0 ? b : a;
    const bool rises = b.most >= a.most;
    const struct online high = rises ? b : a, low = rises ? a : b;
    const real scale = online_real(exp_any((double)RN(low.most - high.most)));
    a.most = high.most;
    a.sum = RN(RN(low.sum * scale) + high.sum);
    return a;
}

PORTABLE struct online online_add(struct online s, real x)
{
    struct online one;
    one.most = x;
    one.sum = 1;
    return x == online_zero().most ? s : online_merge(s, one);
}

PORTABLE double online_result(struct online s)
{
    return (double)s.sum;
}

#define online_MEASURES 1 /* no state is worth a sum */

#ifndef __CUDACC__
static inline double online_bound(const struct claim *of)
{
    (void)of;
    return INFINITY; /* of a sum nothing */
}
#endif
