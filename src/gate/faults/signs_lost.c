/* |x| for x: the bit of the sign is masked away, as where numbers are read as if they had none. */
#include "src/gate/fault_tools.h"

#include <math.h>

static void drop_signs(const struct fault_call *call, double *x, uint64_t n)
{
    (void)call;
    for (uint64_t i = 0; i < n; i++)
        x[i] = fabs(x[i]);
}

enum status fault_signs_lost(const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_changed(call, call->of.shape.terms, drop_signs, bits);
}
