/* The result went through a bfloat16: 8 bits. */
#include "src/gate/fault_tools.h"

bool fault_ends_beyond_bfloat16(const struct method *method)
{
    return fault_any(method) && format_is_narrower(&FORMAT_BFLOAT16, method->sum_format->result);
}

enum status fault_result_bfloat16(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, rounded_to(fault_value(call, *bits), &FORMAT_BFLOAT16));
    return OK;
}
