/* Kahan with two lines in the wrong order: the sum is replaced before the correction is taken from the old one.  The
 * correction then is minus what was added, which is added again next time.
 *
 *   0 + 1 + 1:  excess -1, sum 1;  y = 1 + 1, sum 3
 */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_add_sum_first(struct kahan s, real x)
{
    const real y = x - s.excess;
    const real t = s.sum + y;
    s.sum = t; /* not after the next line */
    s.excess = finite_or_zero((t - s.sum) - y);
    return s;
}
#define kahan_add kahan_add_sum_first
