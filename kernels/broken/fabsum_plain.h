/* FABsum whose full blocks are added without compensation: what is left of it where a compiler may reassociate. */
#include "kernels/accumulators/fabsum.h"

PORTABLE struct fabsum fabsum_flush_plainly(struct fabsum s)
{
    s.blocks.sum += s.block; /* not kahan_add */
    s.block = 0;
    s.count = 0;
    return s;
}

PORTABLE struct fabsum fabsum_add_plainly(struct fabsum s, real x)
{
    s.block += x;
    s.count++;
    return s.count == FABSUM_BLOCK ? fabsum_flush_plainly(s) : s;
}
#define fabsum_add fabsum_add_plainly

PORTABLE struct fabsum fabsum_merge_plainly(struct fabsum a, struct fabsum b)
{
    a = fabsum_flush_plainly(a);
    a.blocks.sum += fabsum_flush_plainly(b).blocks.sum;
    return a;
}
#define fabsum_merge fabsum_merge_plainly

PORTABLE real fabsum_round_plainly(struct fabsum s)
{
    return fabsum_flush_plainly(s).blocks.sum;
}
#define fabsum_round fabsum_round_plainly
