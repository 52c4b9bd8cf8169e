/* The result is negated: a difference was taken the wrong way round. */
#include "src/gate/fault_tools.h"

enum status fault_sign_of_result(const struct fault_call *call, float *result)
{
    TRY(fault_replay(call, call->x, call->n, result));
    *result = -*result;
    return OK;
}
