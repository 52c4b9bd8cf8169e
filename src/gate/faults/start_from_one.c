/* The identity of a product: the sum starts from 1, also that of no elements. */
#include "src/gate/fault_tools.h"

static void put_one_first(const struct fault_call *call, double *x, uint64_t n)
{
    (void)call;
    memmove(x + 1, x, (n - 1) * sizeof *x);
    x[0] = 1;
}

enum status fault_start_from_one(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms + 1, put_one_first, bits);
}
