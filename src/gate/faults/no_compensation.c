/* The compensation has no effect: the compiler was allowed to reassociate, (t - s) - y = 0, or nobody uses it.  What is
 * left is the accumulator below, bit for bit (docs/faults.md); of FABsum it is blocks, kernels/broken/fabsum_plain.h.
 */
#include "src/gate/fault_tools.h"

bool fault_is_compensated(const struct method *method)
{
    return fault_any(method) && method->accumulator_traits->uncompensated &&
           !method_absent(method->operation, method->sum_format, method->accumulator_traits->uncompensated);
}

enum status fault_no_compensation(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_by(call, call->method->accumulator_traits->uncompensated, bits);
}
