/* full_range: every size that the format has, with alternating signs, the smallest first (wide_range.h).
 *
 * Order matters through the signs: the elements of even i add up to about 12 MAX for n = 4096, so that strided orders
 * overflow where neighbours cancel.
 */
#include "datasets/wide_range.h"

#define FAMILY full_range

PORTABLE double full_range_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    return wide_range_element(call, i, format_least_normal_exponent(&call->format)); /* binary32: from 2^-126 */
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
const struct generator generator_full_range = {
    .id = "full_range",
    .summary = "all sizes from the least normal to the largest, signs in turn",
    .formula = "x_i = (-1)^i MIN (MAX/MIN)^(i/n), the power with a linear significand",
    .source = "ReproBLAS, tests/common/test_util.c, util_Vec_Full_Range",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "uncompensated/tree_two_pass,compensated/tree_two_pass,double_float/tree_two_pass",
                 AT_LEAST, NO_NUMBER},
                {"n=4Ki..1Mi*256", "plain/serial,plain/pairwise,kahan/serial,neumaier/serial", AT_MOST, 0.5},
                {"n=4Ki..1Mi*256", "binary64*,binned*", AT_MOST, 0.5}),
    .exact = "about half the last element, condition about 2.9 n / b with b binades, in binary32 n/87",
    .showcase = {"full_range:n=4096"},
    .parameters = PARAMETERS({0}),
    .refuses = formats_of_results,
    .prepare = wide_range_prepare,
    .elements = full_range_elements,
};
#endif
