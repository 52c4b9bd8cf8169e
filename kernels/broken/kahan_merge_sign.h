/* Kahan whose merge has a sign wrong: the error of its sums is added to the excess, so that it is made twice.
 *
 *   (2^24, 0) and (1, 0):  error 1, excess 1, where 2^24 + 1 is sum - excess with an excess of -1
 */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_merge_with_wrong_sign(struct kahan a, struct kahan b)
{
    struct kahan s;
    real error, low;
    const real t = two_sum(a.sum, b.sum, &error);
    const real excess = finite_or_zero((a.excess + b.excess) + error); /* not - error */
    s.sum = two_sum(t, -excess, &low);
    s.excess = 0 - finite_or_zero(low);
    return s;
}
#define kahan_merge kahan_merge_with_wrong_sign
