/* Loads whose index is held at n - 1 instead of left out: the lanes of the last warp that have no element add the last
 * one again. */
#include "src/gate/fault_tools.h"

enum { WARP = 32 };

static void repeat_last(const struct fault_call *call, float *x, uint64_t n)
{
    for (uint64_t i = call->n; i < n; i++)
        x[i] = x[call->n - 1];
}

enum status fault_pad_last(const struct fault_call *call, float *result)
{
    const uint64_t missing = (WARP - call->n % WARP) % WARP;
    return fault_replay_changed(call, call->n + missing, repeat_last, result);
}
