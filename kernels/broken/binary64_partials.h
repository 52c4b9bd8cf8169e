/* binary64 whose partial sums are stored in binary32: each merge rounds what it reads and what it writes. */
#include "kernels/accumulators/binary64.h"

PORTABLE struct binary64 binary64_merge_narrow(struct binary64 a, struct binary64 b)
{
    a.sum = (double)((real)a.sum + (real)b.sum);
    return a;
}
#define binary64_merge binary64_merge_narrow
