/* The planted regression: a Kahan whose update is missing.  (Of kernels/accumulators/kahan.h itself the canary would
 * tell, and the program would not start.) */
#define kahan_two_sum_add sound_kahan_two_sum_add
#include "kernels/accumulators/kahan_two_sum.h"
#undef kahan_two_sum_add

PORTABLE struct kahan_two_sum kahan_two_sum_add(struct kahan_two_sum s, real x)
{
    real error;
    s.state.sum = two_sum(s.state.sum, x - s.state.excess, &error);
    /* s.state.excess = 0 - finite_or_zero(error); */
    return s;
}
