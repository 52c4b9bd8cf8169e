/* An accumulator in memory that nobody clears between two runs: the sum of the last one is still there.  A test that
 * runs each sum once never sees it. */
#include "src/gate/fault_tools.h"

enum status fault_stale_sum(const struct fault_call *call, uint64_t *bits)
{
    TRY(fault_replay(call, 0, call->of.shape.terms, bits));
    *bits = fault_result(call, 2 * fault_value(call, *bits));
    return OK;
}
