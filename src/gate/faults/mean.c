/* A function of another name in the same library. */
#include "src/gate/fault_tools.h"

enum status fault_mean(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    if (call->of.shape.terms > 0)
        *bits = fault_result(call, fault_value(call, *bits) / (double)call->of.shape.terms);
    return OK;
}
