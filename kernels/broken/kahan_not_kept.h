/* Kahan that computes the correction and does not keep it: all excesses are 0 but those of merges.
 *
 *   (2^24, 0) + 1 + 1:  2^24, where kahan has 2^24 + 2
 */
#include "../accumulators/kahan.h"

PORTABLE struct kahan kahan_add_without_keeping(struct kahan s, real x)
{
    s.sum = s.sum + (x - s.excess);
    return s;
}
#define kahan_add kahan_add_without_keeping
