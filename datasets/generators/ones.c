/* ones: n times 1.
 *
 * 2^24 + 1 is a tie that goes back to 2^24: left to right, the sum stands still there, however many ones follow.
 * A correction that is added up apart stands still in its turn: neumaier at 2^24 + 2^24.
 */
#include "datasets/random.h"

#define FAMILY ones

PORTABLE float ones_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)call, (void)i, (void)random;
    return 1;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const struct parameter parameters[] = {
    {0},
};

const struct generator generator_ones = {
    .id = "ones",
    .summary = "n times 1: a count that stops",
    .formula = "x_i = 1",
    .source = "counts and means of float32 that stop at 2^24: mlx#3909, numpy#22956 (both recalled)",
    .hurts = "plain/serial, which stands still at 2^24; neumaier/serial at 2^25",
    .spares = "every method up to n = 2^24; beyond, trees, kahan, klein, binary64",
    .exact = "n; condition 1",
    .showcase = {"ones:n=64Ki", "ones:n=17Mi"},
    .parameters = parameters,
    .elements = ones_elements,
};
#endif
