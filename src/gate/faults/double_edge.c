/* The ranges of two blocks overlap by one element, x[T-1]. */
#include "src/gate/fault_tools.h"

static void double_edge(const struct fault_call *call, double *x, uint64_t n)
{
    const uint64_t edge = call->launch.threads - 1;
    if (edge < n)
        x[edge] *= 2;
}

enum status fault_double_edge(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, double_edge, bits);
}
