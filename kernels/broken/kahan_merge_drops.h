/* Kahan whose merge forgets the correction of its second state; all else of the merge is right. */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_merge_dropping(struct kahan a, struct kahan b)
{
    struct kahan s;
    real error, low;
    const real t = two_sum(a.sum, b.sum, &error);
    const real excess = finite_or_zero(a.excess - error); /* not a.excess + b.excess */
    s.sum = two_sum(t, -excess, &low);
    s.excess = 0 - finite_or_zero(low);
    return s;
}
#define kahan_merge kahan_merge_dropping
