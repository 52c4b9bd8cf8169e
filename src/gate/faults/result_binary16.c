/* The result went through a half: 11 bits, and infinity from 65520 on. */
#include "src/gate/fault_tools.h"

#include "src/base/fp.h"

enum status fault_result_binary16(const struct fault_call *call, float *result)
{
    TRY(fault_replay(call, call->x, call->n, result));
    *result = float_rounded_to(*result, &FORMAT_BINARY16);
    return OK;
}
