/* Kahan with TwoSum whose error is kept as it is, where an excess is its negative: each error is made twice.
 *
 *   (2^24, 0) + 1:  error 1, excess 1;  + 1:  x - excess = 0, and the sum stays at 2^24
 */
#include "kernels/accumulators/kahan_two_sum.h"

PORTABLE struct kahan_two_sum kahan_two_sum_add_with_wrong_sign(struct kahan_two_sum s, real x)
{
    real error;
    s.state.sum = two_sum(s.state.sum, x - s.state.excess, &error);
    s.state.excess = finite_or_zero(error); /* not 0 - error */
    return s;
}
#define kahan_two_sum_add kahan_two_sum_add_with_wrong_sign
