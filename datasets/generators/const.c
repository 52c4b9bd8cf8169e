/* const: one number, n times.
 *
 *   x_i = value
 *
 * value = 0.1  any binary32; rounded to binary32
 *
 * The rounding errors of a running sum then all have one sign for a binade at a time, so they add up as n, not as
 * sqrt(n), and the sum stands still once value is below half an ulp of it.
 *
 * Source: float32 means of a constant tensor, pytorch#19164; the theory in Higham & Mary, SIAM J. Sci. Comput. 41
 * (2019) (both recalled).
 * Hurts: plain serial; Neumaier once n u is near 0.1.  Spares: trees, when n, blocks and threads are powers of two.
 * Exact: n value.  Condition: 1.
 */
#include "../generator.h"

#include <float.h>

static enum status fill(const struct generator_call *call, float *x)
{
    for (uint64_t i = 0; i < call->n; i++)
        x[i] = (float)call->values[0];
    return OK;
}

static const struct parameter parameters[] = {
    {"value", REAL, 0.1, -(double)FLT_MAX, (double)FLT_MAX, "the number"},
    {0},
};

const struct generator generator_const = {
    .id = "const",
    .summary = "one number, n times",
    .formula = "x_i = value",
    .source = "pytorch#19164 (recalled)",
    .hurts = "plain/serial: its errors have one sign",
    .spares = "trees, when n, blocks and threads are powers of two",
    .parameters = parameters,
    .fill = fill,
};
