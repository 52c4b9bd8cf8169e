/* `i < n - 1`. */
#include "src/gate/fault_tools.h"

enum status fault_drop_last(const struct fault_call *call, float *result)
{
    return fault_replay(call, call->x, call->n - (call->n > 0), result);
}
