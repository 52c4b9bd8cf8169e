/* TwoSum replaced by the shorter FastTwoSum, which is right only where the first operand is the larger: the sum of a
 * cancelling series is not.
 *
 *   1 + 2^60:  2^60 - (2^60 - 1) = 0, where the error is 1
 */
#include "kernels/accumulators/sum2.h"

PORTABLE struct sum2 sum2_add_fast(struct sum2 s, real x)
{
    real error;
    s.state.sum = fast_two_sum(s.state.sum, x, &error); /* not two_sum */
    s.state.lost += error;
    return s;
}
#define sum2_add sum2_add_fast
