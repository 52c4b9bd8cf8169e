/* Klein whose second order has its sign wrong: the errors of adding up the errors are subtracted.
 *
 *   2^50 + 2^25 + 1 - 2^50 - 2^25 = 1: this gives -1
 */
#include "kernels/accumulators/klein.h"

PORTABLE double klein_result_with_wrong_sign(struct klein s)
{
    real error;
    if (!is_finite(s.sum) || !is_finite(s.lost))
        return (double)s.sum;
    const real joined = two_sum(s.sum, s.lost, &error);
    return (double)(joined + finite_or_zero(error - s.lost_again)); /* not + */
}
#define klein_result klein_result_with_wrong_sign
