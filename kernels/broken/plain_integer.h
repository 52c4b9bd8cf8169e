/* The sum is kept in an integer, as in std::accumulate(x, x + n, 0): each addition is made in a floating-point format,
 * and what it has behind the point is cut off.
 *
 *   0.75 + 0.75 = 0        1 + 1.75 = 2
 */
#include "kernels/accumulators/plain.h"

/* From 2^23 on a binary32 is an integer. */
PORTABLE real plain_integer_part(real x)
{
    return x > -0x1p23f && x < 0x1p23f ? (real)(int)x : x;
}

PORTABLE struct plain plain_add_integer(struct plain s, real x)
{
    s.sum = plain_integer_part(s.sum + x);
    return s;
}
#define plain_add plain_add_integer

PORTABLE struct plain plain_merge_integer(struct plain a, struct plain b)
{
    a.sum = plain_integer_part(a.sum + b.sum);
    return a;
}
#define plain_merge plain_merge_integer
