/* The result is halved: a mean of two, of one sum. */
#include "src/gate/fault_tools.h"

enum status fault_half_of_result(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, fault_value(call, *bits) / 2);
    return OK;
}
