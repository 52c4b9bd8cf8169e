/* `i <= n` where the element beyond the end happens to be the last one again, or a loop for the tail that starts one
 * too early. */
#include "src/gate/fault_tools.h"

static void repeat_last(const struct fault_call *call, double *x, uint64_t n)
{
    (void)n;
    x[call->of.shape.terms] = x[call->of.shape.terms - 1];
}

enum status fault_double_last(const struct fault_call *call, uint64_t *bits)
{
    return call->of.shape.terms == 0 ? fault_replay(call, 0, 0, bits)
                                     : fault_replay_changed(call, call->of.shape.terms + 1, repeat_last, bits);
}
