/* tie: a one, then halves of its last bit.
 *
 *   1, u, u, u, ...   u = 2^-p, in binary32 2^-24
 *
 * 1 + u lies in the middle of two numbers and the even one is 1: left to right, every u is lost.  Each addition makes
 * the largest error that an addition can make, and all have one sign: n = 4096 gives 1 instead of 1 + 4095u.
 */
#include "datasets/random.h"

#define FAMILY tie

PORTABLE double tie_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    return i == 0 ? 1 : format_u(&call->format);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
const struct generator generator_tie = {
    .id = "tie",
    .summary = "a one, then half an ulp of it, again and again",
    .formula = "x_0 = 1, x_i = u",
    .source = "by construction: each rounding is the largest there is",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "kahan_naive_merge/*,compensated/*,wider/*,exact/*", AT_MOST, 0.5},
                {"n=4Ki", "plain/serial", AT_LEAST, 2000}, {"n=4Ki", "plain/pairwise,fabsum/serial", AT_LEAST, 63},
                {"n=1Mi", "plain/serial", AT_LEAST, 5.2e5}, {"n=1Mi", "plain/tree_two_pass", AT_LEAST, 16},
                {"n=16Mi", "plain/serial", AT_LEAST, 8.3e6}, {"n=16Mi", "plain/tree_two_pass", AT_LEAST, 270},
                {"n=16Mi", "kahan/serial,neumaier/serial,binary64/serial", AT_MOST, 0.5}),
    .exact = "1 + (n-1)u; condition 1",
    .showcase = {"tie:n=4096", "tie:n=1Mi"},
    .parameters = PARAMETERS({0}),
    .refuses = formats_of_results,
    .elements = tie_elements,
};
#endif
