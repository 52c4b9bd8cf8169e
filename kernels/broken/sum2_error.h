/* TwoSum with a wrong error term: a's part of the sum is taken as sum - b where it should be sum - b's part, so that
 * the error is found twice when it is b's.
 *
 *   2^24 + 1 = 2^24:  a - (2^24 - 1) + (1 - 0) = 2, where the error is 1
 */
#include "kernels/accumulators/sum2.h"

PORTABLE struct sum2 sum2_add_wrong_error(struct sum2 s, real x)
{
    const real sum = s.state.sum + x;
    const real x_part = sum - s.state.sum;
    const real sum_part = sum - x; /* not sum - x_part */
    s.state.lost += (s.state.sum - sum_part) + (x - x_part);
    s.state.sum = sum;
    return s;
}
#define sum2_add sum2_add_wrong_error
