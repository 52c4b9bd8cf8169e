/* FABsum whose full blocks are added without compensation: what is left of it where a compiler may reassociate. */
#include "kernels/accumulators/fabsum.h"

PORTABLE STATE A(flush_plainly)(STATE s)
{
    s.blocks.sum += s.block; /* not kahan_add */
    s.block = 0;
    s.count = 0;
    return s;
}

PORTABLE STATE A(add_plainly)(STATE s, real x)
{
    s.block += x;
    s.count++;
    return s.count == FABSUM_BLOCK ? A(flush_plainly)(s) : s;
}
#define fabsum_add fabsum_add_plainly

PORTABLE STATE A(merge_plainly)(STATE a, STATE b)
{
    a = A(flush_plainly)(a);
    a.blocks.sum += A(flush_plainly)(b).blocks.sum;
    return a;
}
#define fabsum_merge fabsum_merge_plainly

PORTABLE double A(result_plainly)(STATE s)
{
    return (double)A(flush_plainly)(s).blocks.sum;
}
#define fabsum_result fabsum_result_plainly
