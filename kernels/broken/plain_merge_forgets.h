/* A merge that forgets its second state: of the sums of threads and blocks the first alone is left.  What a missing
 * shuffle, or a missing step of a tree, does at every level.
 */
#include "../accumulators/plain.h"

PORTABLE struct plain plain_merge_forgetting(struct plain a, struct plain b)
{
    (void)b;
    return a;
}
#define plain_merge plain_merge_forgetting
