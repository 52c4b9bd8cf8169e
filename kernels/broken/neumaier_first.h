/* Neumaier that always takes its first branch, as if the sum were the larger operand.
 *
 *   1 + 2^60:  2^60 - (2^60 - 1) = 0, where the error is 1
 */
#include "kernels/accumulators/neumaier.h"

PORTABLE struct neumaier neumaier_add_first_branch(struct neumaier s, real x)
{
    real error;
    s.sum = fast_two_sum(s.sum, x, &error); /* not neumaier_two_sum */
    s.lost += error;
    return s;
}
#define neumaier_add neumaier_add_first_branch

PORTABLE struct neumaier neumaier_merge_first_branch(struct neumaier a, struct neumaier b)
{
    struct neumaier s;
    real error;
    s.sum = fast_two_sum(a.sum, b.sum, &error);
    s.lost = (a.lost + b.lost) + error;
    return s;
}
#define neumaier_merge neumaier_merge_first_branch
