/* Kahan that compensates in the wrong order: (t - y) - sum for (t - sum) - y, the same in real numbers.  t - y is
 * rounded as t was, so that the error of a small y comes out as 0 or a whole unit of the sum.
 *
 *   (2^24, 0) + 1:  t = 2^24, t - y = 2^24 - 1, excess -1: right.  (2^25, 0) + 1:  t - y = 2^25, excess 0
 */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_add_other_operands(struct kahan s, real x)
{
    const real y = x - s.excess;
    const real t = s.sum + y;
    const real excess = (t - y) - s.sum; /* not (t - s.sum) - y */
    s.sum = t;
    s.excess = finite_or_zero(excess);
    return s;
}
#define kahan_add kahan_add_other_operands
