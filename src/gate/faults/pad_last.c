/* Loads whose index is held at n - 1 instead of left out: the lanes of the last warp that have no element add the last
 * one again. */
#include "src/gate/fault_tools.h"

enum { WARP = 32 };

static void repeat_last(const struct fault_call *call, double *x, uint64_t n)
{
    for (uint64_t i = call->of.shape.terms; i < n; i++)
        x[i] = x[call->of.shape.terms - 1];
}

enum status fault_pad_last(const struct fault_call *call, uint64_t *bits)
{
    const uint64_t missing = (WARP - call->of.shape.terms % WARP) % WARP;
    return fault_replay_changed(call, call->of.shape.terms + missing, repeat_last, bits);
}
