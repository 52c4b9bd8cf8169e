/* An int is written where a float is read. */
#include "src/gate/fault_tools.h"

enum status fault_result_as_integer(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, number_of_integer(call->method->format, trunc(fault_value(call, *bits)) + 0.0));
    return OK;
}
