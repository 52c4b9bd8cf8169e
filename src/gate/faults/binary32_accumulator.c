/* `float sum` where there was a wider one. */
#include "src/gate/fault_tools.h"

static const struct fault_replacement narrower[] = {
    {"binary64", "plain"},
    {"binary64_kahan", "kahan"},
    {"binned", "plain"},
    {"binned_3x13", "plain"},
    {"binned_4x20", "plain"},
    {"superacc", "plain"},
    {0},
};

bool fault_is_wider(const struct method *method)
{
    return fault_any_sum(method) && fault_replaced_by(narrower, method);
}

enum status fault_binary32_accumulator(const struct fault_call *call, float *result)
{
    return fault_replay_by(call, fault_replaced_by(narrower, call->method), result);
}
