/* Klein whose second order has its sign wrong: the errors of adding up the errors are subtracted.
 *
 *   2^50 + 2^25 + 1 - 2^50 - 2^25 = 1: this gives -1
 */
#include "kernels/accumulators/klein.h"

PORTABLE real klein_round_with_wrong_sign(struct klein s)
{
    s.lost_again = -s.lost_again;
    return klein_round(s);
}
#define klein_round klein_round_with_wrong_sign
