/* The result is negated: a difference was taken the wrong way round. */
#include "src/gate/fault_tools.h"

enum status fault_sign_of_result(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, -fault_value(call, *bits));
    return OK;
}
