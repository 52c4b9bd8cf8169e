/* double_float whose addition takes the rounding error off the low word instead of adding it.
 *
 *   (2^24, 0) + 1 + 1:  (2^24, -1), then (2^24, -2); it should be (2^24 + 2, 0)
 */
#include "kernels/accumulators/double_float.h"

PORTABLE struct double_float double_float_add_with_wrong_sign(struct double_float s, real x)
{
    real error;
    const real sum = two_sum(s.high, x, &error);
    s.high = fast_two_sum(sum, finite_or_zero(s.low - error), &s.low); /* not s.low + error */
    return s;
}
#define double_float_add double_float_add_with_wrong_sign
