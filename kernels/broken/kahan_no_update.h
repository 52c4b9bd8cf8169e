/* Kahan whose update is missing: an addition leaves the correction as it was, which is 0.
 *
 *   (2^24, 0) + 1 + 1:  2^24, where kahan has 2^24 + 2
 *
 * The merge is kahan's, and keeps the rounding errors of merges.
 */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_add_without_update(struct kahan s, real x)
{
    s.sum += x - s.excess; /* and no s.excess = ... */
    return s;
}
#define kahan_add kahan_add_without_update
