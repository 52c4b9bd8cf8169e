/* Neumaier with its branch swapped: the smaller operand is subtracted from the sum first, which leaves no error where
 * there was one, or one that never was.
 *
 *   2^24 + 1 = 2^24:  2^24 - (2^24 - 1) = 1 is the right error by luck.  2^25 + 1 = 2^25:  2^25 - (2^25 - 1) = 0
 */
#include "kernels/accumulators/neumaier.h"

PORTABLE real neumaier_two_sum_swapped(real a, real b, real *error)
{
    const int a_is_larger = REAL_ABS(a) < REAL_ABS(b); /* not >= */
    return fast_two_sum(a_is_larger ? a : b, a_is_larger ? b : a, error);
}

PORTABLE struct neumaier neumaier_add_swapped(struct neumaier s, real x)
{
    real error;
    s.sum = neumaier_two_sum_swapped(s.sum, x, &error);
    s.lost += error;
    return s;
}
#define neumaier_add neumaier_add_swapped

PORTABLE struct neumaier neumaier_merge_swapped(struct neumaier a, struct neumaier b)
{
    struct neumaier s;
    real error;
    s.sum = neumaier_two_sum_swapped(a.sum, b.sum, &error);
    s.lost = (a.lost + b.lost) + error;
    return s;
}
#define neumaier_merge neumaier_merge_swapped
