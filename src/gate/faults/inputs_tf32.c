/* Tensor cores read 11 bits of each element, where a library is allowed to use them. */
#include "src/gate/fault_tools.h"

#include "src/base/fp.h"

static void narrow(const struct fault_call *call, float *x, uint64_t n)
{
    (void)call;
    for (uint64_t i = 0; i < n; i++)
        x[i] = float_rounded_to(x[i], &FORMAT_TF32);
}

enum status fault_inputs_tf32(const struct fault_call *call, float *result)
{
    return fault_replay_changed(call, call->n, narrow, result);
}
