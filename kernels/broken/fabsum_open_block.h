/* FABsum that forgets the block that is not full: it is flushed neither at the end nor before a merge. */
#include "kernels/accumulators/fabsum.h"

PORTABLE struct fabsum fabsum_merge_full_blocks(struct fabsum a, struct fabsum b)
{
    a.blocks = kahan_merge(a.blocks, b.blocks);
    return a;
}
#define fabsum_merge fabsum_merge_full_blocks

PORTABLE double fabsum_result_full_blocks(struct fabsum s)
{
    return kahan_result(s.blocks);
}
#define fabsum_result fabsum_result_full_blocks
