/* The sum is kept in binary16, 11 bits and at most 65504: as `half sum; sum += x;` does, each addition is made in
 * binary32 and rounded to it.
 *
 *   2048 + 1 = 2048    65504 + 16 = infinity    2^-25 + 2^-25 = 0
 */
#ifndef NARROW /* plain_bfloat16.h and plain_tf32.h have others */
#define NARROW FORMAT_BINARY16
#endif
#include "kernels/accumulators/plain.h"

PORTABLE struct plain plain_add_narrow(struct plain s, real x)
{
    s.sum = (real)rounded_to((double)(s.sum + x), &NARROW);
    return s;
}
#define plain_add plain_add_narrow

PORTABLE struct plain plain_merge_narrow(struct plain a, struct plain b)
{
    a.sum = (real)rounded_to((double)(a.sum + b.sum), &NARROW);
    return a;
}
#define plain_merge plain_merge_narrow
