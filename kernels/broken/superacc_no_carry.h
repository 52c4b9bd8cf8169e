/* A superaccumulator whose limbs are added each for itself: what one has no room for is not handed on.
 *
 *   1 - 1:  the carry that should clear the upper limbs is lost in the first, and they stay all ones
 *
 * Positive numbers show it where a limb overflows.
 */
#include "kernels/accumulators/superacc.h"

PORTABLE struct superacc superacc_merge_without_carry(struct superacc a, struct superacc b)
{
    for (int k = 0; k < superacc_LIMBS; k++)
        a.limb[k] += b.limb[k];
    a.special += b.special;
    return a;
}

PORTABLE struct superacc superacc_add_without_carry(struct superacc s, real x)
{
    return superacc_merge_without_carry(s, superacc_add(superacc_zero(), x));
}
#define superacc_add superacc_add_without_carry
#define superacc_merge superacc_merge_without_carry
