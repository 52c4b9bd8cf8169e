/* Kahan that compares the sum with x where y, the corrected x, was added: the correction forgets the one before it.
 *
 *   (2^24, -1) + 1:  y = 2, t = 2^24 + 2, excess = 2 - 1 = 1, where the addition was exact
 */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_add_x_for_y(struct kahan s, real x)
{
    const real y = x - s.excess;
    const real t = s.sum + y;
    s.excess = finite_or_zero((t - s.sum) - x); /* not - y */
    s.sum = t;
    return s;
}
#define kahan_add kahan_add_x_for_y
