/* Kahan with TwoSum that does not keep the error of an addition: all excesses are 0 but those of merges.
 *
 *   (2^24, 0) + 1 + 1:  2^24, where kahan_two_sum has 2^24 + 2
 */
#include "kernels/accumulators/kahan_two_sum.h"

PORTABLE struct kahan_two_sum kahan_two_sum_add_alone(struct kahan_two_sum s, real x)
{
    s.state.sum = s.state.sum + (x - s.state.excess);
    return s;
}
#define kahan_two_sum_add kahan_two_sum_add_alone
