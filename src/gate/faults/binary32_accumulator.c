/* `float sum` where there was a wider one. */
#include "src/gate/fault_tools.h"

bool fault_is_wider(const struct method *method)
{
    return fault_any_sum(method) && method->accumulator_traits->narrow;
}

enum status fault_binary32_accumulator(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_by(call, call->method->accumulator_traits->narrow, bits);
}
