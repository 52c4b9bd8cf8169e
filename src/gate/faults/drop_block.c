/* The sum of one block is lost, as in a race of two: that of the last block that has any element, in a grid-stride
 * loop. */
#include "src/gate/fault_tools.h"

static void clear_last_block(const struct fault_call *call, double *x, uint64_t n)
{
    const uint64_t threads = call->launch.threads, blocks = call->launch.blocks;
    const uint64_t busy = n / threads + (n % threads > 0), last = (busy < blocks ? busy : blocks) - 1;
    for (uint64_t i = 0; i < n; i++)
        if (i / threads % blocks == last)
            x[i] = 0;
}

enum status fault_drop_block(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, clear_last_block, bits);
}
