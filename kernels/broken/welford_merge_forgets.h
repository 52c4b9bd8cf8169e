/* Welford whose merge adds two sums of squares, and forgets d d na nb / n, what lies between their means. */
#include "kernels/accumulators/welford.h"

PORTABLE struct welford welford_merge_forgets(struct welford a, struct welford b)
{
    const real squares = RN(a.squares + b.squares);
    a = welford_merge(a, b);
    a.squares = squares;
    return a;
}
#define welford_merge welford_merge_forgets
