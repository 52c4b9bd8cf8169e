/* A grid of n / threads blocks, which should be rounded up. */
#include "src/gate/fault_tools.h"

enum status fault_drop_tail_of_threads(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay(call, 0, call->of.shape.terms - call->of.shape.terms % call->launch.threads, bits);
}
