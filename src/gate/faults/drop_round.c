/* The first block begins one round too late: the loop of its threads skips their first elements, T neighbours. */
#include "src/gate/fault_tools.h"

static void clear_first_round(const struct fault_call *call, double *x, uint64_t n)
{
    const uint64_t threads = call->launch.threads;
    memset(x, 0, (n < threads ? n : threads) * sizeof *x);
}

enum status fault_drop_round(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, clear_first_round, bits);
}
