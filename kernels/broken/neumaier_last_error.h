/* Neumaier that keeps the last error alone: `lost = error` where it should be `lost += error`.
 *
 *   1 + 2^60 + 1 - 2^60:  lost 0, 1, 1, 0; result 0
 */
#include "kernels/accumulators/neumaier.h"

PORTABLE struct neumaier neumaier_add_last_error(struct neumaier s, real x)
{
    s.sum = neumaier_two_sum(s.sum, x, &s.lost); /* not s.lost += error */
    return s;
}
#define neumaier_add neumaier_add_last_error
