/* Klein whose second order is dropped: the errors of adding up the errors never join the result, so that the sums are
 * those of sum2.
 *
 *   2^50 + 2^25 + 1 - 2^50 - 2^25 = 1: this gives 0
 */
#include "kernels/accumulators/klein.h"

PORTABLE double klein_result_first_order(struct klein s)
{
    return (double)(is_finite(s.sum) && is_finite(s.lost) ? s.sum + s.lost : s.sum);
}
#define klein_result klein_result_first_order
