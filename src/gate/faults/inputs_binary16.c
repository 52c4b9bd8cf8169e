/* The data went through a buffer of halves: 11 bits, and infinity from 65520 on. */
#include "src/gate/fault_tools.h"

#include "src/base/fp.h"

static void narrow(const struct fault_call *call, double *x, uint64_t n)
{
    (void)call;
    for (uint64_t i = 0; i < n; i++)
        x[i] = rounded_to(x[i], &FORMAT_BINARY16);
}

enum status fault_inputs_binary16(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, narrow, bits);
}
