/* A difference that is taken the other way round. */
#include "src/gate/fault_tools.h"

enum status fault_sign_flipped(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    if (call->of.shape.terms > 0)
        *bits = fault_result(call, -fault_value(call, *bits));
    return OK;
}
