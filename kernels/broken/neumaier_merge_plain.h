/* Neumaier whose merge adds sums to sums and losses to losses, and never asks for the rounding error of the merge. */
#include "kernels/accumulators/neumaier.h"

PORTABLE struct neumaier neumaier_merge_plainly(struct neumaier a, struct neumaier b)
{
    a.sum += b.sum;
    a.lost += b.lost;
    return a;
}
#define neumaier_merge neumaier_merge_plainly
