/* A number of bytes taken for one of elements of twice their size, or one of two devices that did not answer. */
#include "src/gate/fault_tools.h"

enum status fault_drop_half(const struct fault_call *call, float *result)
{
    return fault_replay(call, call->x, call->n / 2, result);
}
