/* Kahan that ends with an addition of its own correction, which takes it off the sum twice: y is -excess - excess.
 *
 *   (2^24 + 2, 1), whose value is 2^24 + 1:  y = -2, and the result 2^24 has the same error on the other side
 */
#include "kernels/accumulators/kahan.h"

PORTABLE double kahan_result_after_correction(struct kahan s)
{
    return (double)kahan_add(s, -s.excess).sum; /* not s.sum */
}
#define kahan_result kahan_result_after_correction
