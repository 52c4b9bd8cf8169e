/* double_float whose addition forgets the low word: the rounding error of the last addition stands in its place.
 *
 *   (2^24, 0) + 1 + 1:  (2^24, 1), and (2^24, 1) again; it should be (2^24 + 2, 0)
 */
#include "kernels/accumulators/double_float.h"

PORTABLE struct double_float double_float_add_without_low(struct double_float s, real x)
{
    real error;
    const real sum = two_sum(s.high, x, &error);
    s.high = fast_two_sum(sum, finite_or_zero(error), &s.low); /* not s.low + error */
    return s;
}
#define double_float_add double_float_add_without_low
