/* The compensation has no effect: the compiler was allowed to reassociate, (t - s) - y = 0, or nobody uses it.  What is
 * left is the accumulator below, bit for bit (docs/faults.md); of FABsum it is blocks, kernels/broken/fabsum_plain.h.
 */
#include "src/gate/fault_tools.h"

static const struct fault_replacement without[] = {
    {"kahan", "plain"},
    {"kahan_two_sum", "plain"},
    {"kahan_naive_merge", "plain"},
    {"neumaier", "plain"},
    {"sum2", "plain"},
    {"klein", "plain"},
    {"double_float", "plain"},
    {"binary64_kahan", "binary64"},
    {0},
};

bool fault_is_compensated(const struct method *method)
{
    return fault_any_sum(method) && fault_replaced_by(without, method);
}

enum status fault_no_compensation(const struct fault_call *call, float *result)
{
    return fault_replay_by(call, fault_replaced_by(without, call->method), result);
}
