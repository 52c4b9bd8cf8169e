/* The sum is kept in bfloat16, 8 bits: each addition is made in binary32 and rounded to it.
 *
 *   256 + 1 = 256
 */
#include "kernels/accumulators/plain.h"

PORTABLE struct plain plain_add_bfloat16(struct plain s, real x)
{
    s.sum = (real)rounded_to((double)(s.sum + x), &FORMAT_BFLOAT16);
    return s;
}
#define plain_add plain_add_bfloat16

PORTABLE struct plain plain_merge_bfloat16(struct plain a, struct plain b)
{
    a.sum = (real)rounded_to((double)(a.sum + b.sum), &FORMAT_BFLOAT16);
    return a;
}
#define plain_merge plain_merge_bfloat16
