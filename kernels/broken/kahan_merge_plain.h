/* Kahan whose states are merged by adding their sums: the correction of one is lost, and so is the rounding error of
 * the merge.  What becomes of a serial Kahan when a plain tree is put on top of it.
 */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_merge_plainly(struct kahan a, struct kahan b)
{
    a.sum += b.sum;
    return a;
}
#define kahan_merge kahan_merge_plainly
