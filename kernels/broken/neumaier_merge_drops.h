/* Neumaier whose merge forgets what its second state lost; the rounding error of the merge itself is kept. */
#include "kernels/accumulators/neumaier.h"

PORTABLE struct neumaier neumaier_merge_dropping(struct neumaier a, struct neumaier b)
{
    struct neumaier s;
    real error;
    s.sum = neumaier_two_sum(a.sum, b.sum, &error);
    s.lost = a.lost + error; /* not (a.lost + b.lost) + error */
    return s;
}
#define neumaier_merge neumaier_merge_dropping
