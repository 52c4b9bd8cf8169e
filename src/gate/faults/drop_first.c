/* A loop that starts from 1.  All elements move up by one place, as they do where each thread's index is one too
 * high. */
#include "src/gate/fault_tools.h"

enum status fault_drop_first(const struct fault_call *call, float *result)
{
    return call->n == 0 ? fault_replay(call, call->x, 0, result) : fault_replay(call, call->x + 1, call->n - 1, result);
}
