/* Tensor cores read 11 bits of each element, where a library is allowed to use them. */
#include "src/gate/fault_tools.h"

#include "src/base/fp.h"

bool fault_loses_in_tf32(const struct method *method)
{
    return fault_any_sum(method) && fault_is_narrower(&FORMAT_TF32, method->sum_format->stored);
}

static void narrow(const struct fault_call *call, double *x, uint64_t n)
{
    (void)call;
    for (uint64_t i = 0; i < n; i++)
        x[i] = rounded_to(x[i], &FORMAT_TF32);
}

enum status fault_inputs_tf32(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, narrow, bits);
}
