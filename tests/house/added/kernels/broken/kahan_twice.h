/* Kahan that takes the correction twice. */
#include "kernels/accumulators/kahan.h"

PORTABLE struct kahan kahan_add_twice(struct kahan s, real x)
{
    s.excess += s.excess;
    return kahan_add(s, x);
}
#define kahan_add kahan_add_twice
