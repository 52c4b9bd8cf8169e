/* A shuffle or a step of a tree is missing: what the upper half of each block's threads has never gets to the others.
 * As the loop of a grid gives them their elements; 0 stands in for these, so that the others stay in their places. */
#include "src/gate/fault_tools.h"

static void clear_upper_threads(const struct fault_call *call, double *x, uint64_t n)
{
    const uint64_t threads = call->launch.threads, kept = threads / 2 + threads % 2;
    for (uint64_t i = 0; i < n; i++)
        if (i % threads >= kept)
            x[i] = 0;
}

enum status fault_drop_threads(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, clear_upper_threads, bits);
}
