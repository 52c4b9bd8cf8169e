/* Loads of 16 bytes, and no loop for what is left after the last of them. */
#include "src/gate/fault_tools.h"

enum status fault_drop_tail_of_4(const struct fault_call *call, float *result)
{
    return fault_replay(call, call->x, call->n - call->n % 4, result);
}
