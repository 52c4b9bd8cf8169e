/* The sum is kept in binary16, 11 bits and at most 65504: as `half sum; sum += x;` does, each addition is made in
 * binary32 and rounded to it.
 *
 *   2048 + 1 = 2048    65504 + 16 = infinity    2^-25 + 2^-25 = 0
 */
#include "kernels/accumulators/plain.h"

PORTABLE struct plain plain_add_binary16(struct plain s, real x)
{
    s.sum = (real)rounded_to((double)(s.sum + x), &FORMAT_BINARY16);
    return s;
}
#define plain_add plain_add_binary16

PORTABLE struct plain plain_merge_binary16(struct plain a, struct plain b)
{
    a.sum = (real)rounded_to((double)(a.sum + b.sum), &FORMAT_BINARY16);
    return a;
}
#define plain_merge plain_merge_binary16
