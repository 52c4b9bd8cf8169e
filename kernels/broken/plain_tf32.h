/* The sum is kept in TF32, the 11 bits that tensor cores multiply: each addition is made in binary32 and rounded to it.
 *
 *   2048 + 1 = 2048
 */
#include "kernels/accumulators/plain.h"

PORTABLE struct plain plain_add_tf32(struct plain s, real x)
{
    s.sum = (real)rounded_to((double)(s.sum + x), &FORMAT_TF32);
    return s;
}
#define plain_add plain_add_tf32

PORTABLE struct plain plain_merge_tf32(struct plain a, struct plain b)
{
    a.sum = (real)rounded_to((double)(a.sum + b.sum), &FORMAT_TF32);
    return a;
}
#define plain_merge plain_merge_tf32
