/* A grid of n / threads blocks, which should be rounded up. */
#include "src/gate/fault_tools.h"

enum status fault_drop_tail_of_threads(const struct fault_call *call, float *result)
{
    return fault_replay(call, call->x, call->n - call->n % call->launch.threads, result);
}
