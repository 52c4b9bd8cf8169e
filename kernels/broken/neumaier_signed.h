/* Neumaier that compares without absolute values: a large negative number is the smaller operand.
 *
 *   1 - 2^60:  1 > -2^60, and -2^60 - (-2^60 - 1) = 0, where the error is 1
 */
#include "kernels/accumulators/neumaier.h"

PORTABLE real neumaier_two_sum_signed(real a, real b, real *error)
{
    const int a_is_larger = a >= b; /* not |a| >= |b| */
    return fast_two_sum(a_is_larger ? a : b, a_is_larger ? b : a, error);
}

PORTABLE struct neumaier neumaier_add_signed(struct neumaier s, real x)
{
    real error;
    s.sum = neumaier_two_sum_signed(s.sum, x, &error);
    s.lost += error;
    return s;
}
#define neumaier_add neumaier_add_signed

PORTABLE struct neumaier neumaier_merge_signed(struct neumaier a, struct neumaier b)
{
    struct neumaier s;
    real error;
    s.sum = neumaier_two_sum_signed(a.sum, b.sum, &error);
    s.lost = (a.lost + b.lost) + error;
    return s;
}
#define neumaier_merge neumaier_merge_signed
