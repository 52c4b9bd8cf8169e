/* The data went through an array of float: 24 bits, and infinity from 2^128 on. */
#include "src/gate/fault_tools.h"

#include "src/base/fp.h"

bool fault_loses_in_binary32(const struct method *method)
{
    return fault_any_sum(method) && fault_is_narrower(&FORMAT_BINARY32, method->sum_format->stored);
}

static void narrow(const struct fault_call *call, double *x, uint64_t n)
{
    (void)call;
    for (uint64_t i = 0; i < n; i++)
        x[i] = rounded_to(x[i], &FORMAT_BINARY32);
}

enum status fault_inputs_binary32(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, narrow, bits);
}
