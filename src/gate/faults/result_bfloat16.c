/* The result went through a bfloat16: 8 bits. */
#include "src/gate/fault_tools.h"

#include "src/base/fp.h"

enum status fault_result_bfloat16(const struct fault_call *call, float *result)
{
    TRY(fault_replay(call, call->x, call->n, result));
    *result = float_rounded_to(*result, &FORMAT_BFLOAT16);
    return OK;
}
