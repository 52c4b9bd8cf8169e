/* double_float without renormalisation: `low` is added to and never moved into `high`, which alone is the result.
 *
 *   (2^24, 0) + 1 + 1:  (2^24, 2), whose `high` is 2^24; it should be (2^24 + 2, 0)
 */
#include "../accumulators/double_float.h"

PORTABLE struct double_float double_float_add_loose(struct double_float s, real x)
{
    real error;
    s.high = two_sum(s.high, x, &error);
    s.low = finite_or_zero(s.low + error); /* and no fast_two_sum(s.high, s.low, ...) */
    return s;
}
#define double_float_add double_float_add_loose
