/* Bins that stay where they are when a larger number comes: the new top is noted, and what was in the old one counts
 * for 2^20 times as much.  In an addition; the merge is right.
 */
#include "kernels/accumulators/binned.h"

PORTABLE struct binned binned_add_without_shift(struct binned s, real x)
{
    while (is_finite(x) && !(REAL_ABS(x * s.scale) < BINNED_LIMIT))
        s.scale *= 1 / BINNED_BASE; /* and no binned_shift(s) */
    return binned_add(s, x);
}
#define binned_add binned_add_without_shift
