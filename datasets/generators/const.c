/* const: one number, n times.
 *
 * The rounding errors of a running sum then all have one sign for a binade at a time, so they add up as n, not as
 * sqrt(n), and the sum stands still once value is below half an ulp of it.  The theory is in Higham & Mary, SIAM J.
 * Sci. Comput. 41 (2019) (recalled).
 */
#include "datasets/random.h"

#define FAMILY const

PORTABLE float const_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i, (void)random;
    return (float)call->values[0];
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
#include <float.h>

static const struct parameter parameters[] = {
    {"value", REAL, 0.1, -(double)FLT_MAX, (double)FLT_MAX, "the number, rounded to binary32", NULL},
    {0},
};

const struct generator generator_const = {
    .id = "const",
    .summary = "one number, n times",
    .formula = "x_i = value",
    .source = "float32 means of a constant tensor, pytorch#19164 (recalled)",
    .hurts = "plain/serial: its errors have one sign; neumaier/serial once n u is near 0.1",
    .spares = "trees, when n, blocks and threads are powers of two",
    .exact = "n value; condition 1",
    .showcase = {"const:n=1Mi"},
    .parameters = parameters,
    .elements = const_elements,
};
#endif
