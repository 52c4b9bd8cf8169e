/* Kahan with a sign wrong: the correction is added where it should be subtracted, so that each error is made twice.
 *
 *   (2^24, 0) + 1:  excess -1;  + 1:  y = 1 + -1 = 0, and the sum stays at 2^24
 */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_add_with_wrong_sign(struct kahan s, real x)
{
    const real y = x + s.excess; /* not x - s.excess */
    const real t = s.sum + y;
    s.excess = finite_or_zero((t - s.sum) - y);
    s.sum = t;
    return s;
}
#define kahan_add kahan_add_with_wrong_sign
