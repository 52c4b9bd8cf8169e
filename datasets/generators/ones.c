/* ones: n times 1.
 *
 * 2^p + 1 is a tie that goes back to 2^p, in binary32 2^24: left to right, the sum stands still there, however many
 * ones follow.  A correction that is added up apart stands still in its turn: neumaier at 2^p + 2^p.
 */
#include "datasets/random.h"

#define FAMILY ones

PORTABLE double ones_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)call, (void)i, (void)random;
    return 1;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
const struct generator generator_ones = {
    .id = "ones",
    .summary = "n times 1: a count that stops",
    .formula = "x_i = 1",
    .source = "float32 counts that stop at 2^24: numpy#22956, pytorch#15837",
    .effects = EFFECTS({"n=4Ki..1Mi*256", ALL_KINDS, AT_MOST, 0}, {"n=17Mi", "plain/serial", AT_LEAST, 5.2e5},
                       {"n=17Mi", "plain/tree_two_pass,plain/pairwise", AT_MOST, 0},
                       {"n=17Mi", "kahan/serial,neumaier/serial,klein/serial,binary64/serial", AT_MOST, 0}),
    .exact = "n; condition 1",
    .showcase = {"ones:n=64Ki", "ones:n=17Mi"},
    .parameters = PARAMETERS({0}),
    .refuses = every_format,
    .elements = ones_elements,
};
#endif
