/* `int sum(...)`: what is returned is the integer part. */
#include "src/gate/fault_tools.h"

enum status fault_result_integer(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, trunc(fault_value(call, *bits)) + 0.0); /* an integer has no zero with a sign */
    return OK;
}
