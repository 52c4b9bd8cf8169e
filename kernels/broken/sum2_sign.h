/* TwoSum with a sign wrong: the errors of both operands are subtracted from each other.
 *
 *   2^24 + 1 = 2^24:  (2^24 - 2^24) - (1 - 0) = -1, where the error is 1
 */
#include "kernels/accumulators/sum2.h"

PORTABLE struct sum2 sum2_add_with_wrong_sign(struct sum2 s, real x)
{
    const real sum = s.state.sum + x;
    const real x_part = sum - s.state.sum;
    const real sum_part = sum - x_part;
    s.state.lost += (s.state.sum - sum_part) - (x - x_part); /* not + */
    s.state.sum = sum;
    return s;
}
#define sum2_add sum2_add_with_wrong_sign
