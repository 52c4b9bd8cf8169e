/* An accumulator in memory that nobody clears between two runs: the sum of the last one is still there.  A test that
 * runs each sum once never sees it. */
#include "src/gate/fault_tools.h"

enum status fault_stale_sum(const struct fault_call *call, float *result)
{
    TRY(fault_replay(call, call->x, call->n, result));
    *result += *result;
    return OK;
}
