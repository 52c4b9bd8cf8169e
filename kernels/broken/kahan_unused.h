/* Kahan whose correction is computed and kept, and used by no addition.
 *
 *   (2^24, 0) + 1 + 1:  2^24, where kahan has 2^24 + 2
 *
 * The merge is kahan's and uses those of the last additions, so that the sums are not quite plain's.
 */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_add_unused(struct kahan s, real x)
{
    const real t = s.sum + x; /* not x - s.excess */
    s.excess = finite_or_zero((t - s.sum) - x);
    s.sum = t;
    return s;
}
#define kahan_add kahan_add_unused
