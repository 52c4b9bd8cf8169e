/* A superaccumulator that rounds by its two highest limbs: what is further down does not decide a tie.
 *
 *   1 + 2^-24 + 2^-100 is rounded to 1 as if it were the tie; it is above
 */
#include "kernels/accumulators/superacc.h"

PORTABLE double superacc_result_high_limbs(struct superacc s)
{
    int top = superacc_LIMBS - 1;
    const uint64_t sign = s.limb[top] >> (superacc_LIMB_BITS - 1) ? UINT64_MAX : 0;
    while (top > 1 && s.limb[top] == sign)
        top--;
    for (int k = 0; k < top - 1; k++)
        s.limb[k] = 0;
    return superacc_result(s);
}
#define superacc_result superacc_result_high_limbs
