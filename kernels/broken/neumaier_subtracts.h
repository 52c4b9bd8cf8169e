/* Neumaier that takes what was lost off the result, as Kahan's excess is: each error is made twice.
 *
 *   2^24 + 1 + 1:  sum 2^24, lost 2, result 2^24 - 2
 */
#include "kernels/accumulators/neumaier.h"

PORTABLE double neumaier_result_subtracting(struct neumaier s)
{
    return (double)(is_finite(s.sum) && is_finite(s.lost) ? s.sum - s.lost : s.sum); /* not s.sum + s.lost */
}
#define neumaier_result neumaier_result_subtracting
