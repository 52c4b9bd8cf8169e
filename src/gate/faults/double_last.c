/* `i <= n` where the element beyond the end happens to be the last one again, or a loop for the tail that starts one
 * too early. */
#include "src/gate/fault_tools.h"

static void repeat_last(const struct fault_call *call, float *x, uint64_t n)
{
    (void)n;
    x[call->n] = x[call->n - 1];
}

enum status fault_double_last(const struct fault_call *call, float *result)
{
    return call->n == 0 ? fault_replay(call, call->x, 0, result)
                        : fault_replay_changed(call, call->n + 1, repeat_last, result);
}
