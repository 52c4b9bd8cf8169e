/* `if (i < n)` where a loop belongs. */
#include "src/gate/fault_tools.h"

enum status fault_drop_beyond_grid(const struct fault_call *call, uint64_t *bits)
{
    const uint64_t grid = (uint64_t)call->launch.blocks * call->launch.threads;
    return fault_replay(call, 0, call->of.shape.terms < grid ? call->of.shape.terms : grid, bits);
}
