/* half_range: every size from 1 to the largest, with alternating signs, the smallest first (wide_range.h). */
#include "datasets/wide_range.h"

#define FAMILY half_range

PORTABLE double half_range_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    return wide_range_element(call, i, 0); /* from 2^0 */
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
const struct generator generator_half_range = {
    .id = "half_range",
    .summary = "all sizes from 1 to the largest, signs in turn",
    .formula = "x_i = (-1)^i MAX^(i/n), the power with a linear significand",
    .source = "ReproBLAS, tests/common/test_util.c, util_Vec_Half_Range",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "uncompensated/tree_two_pass,compensated/tree_two_pass,double_float/tree_two_pass",
                 AT_LEAST, NO_NUMBER},
                {"n=4Ki..1Mi*256", "plain/serial,plain/pairwise,kahan/serial,neumaier/serial", AT_MOST, 2},
                {"n=4Ki..1Mi*256", "binary64*,binned*", AT_MOST, 0.5}),
    .exact = "about half the last element, condition about 2.9 n / b with b binades, in binary32 n/44",
    .showcase = {"half_range:n=4096"},
    .parameters = PARAMETERS({0}),
    .refuses = formats_of_results,
    .prepare = wide_range_prepare,
    .elements = half_range_elements,
};
#endif
