/* swamp: a big number first, ones after it.
 *
 * From 2^p on, in binary32 2^24, big + 1 is a tie that goes back to the even big: left to right, every one is lost.
 */
#include "datasets/random.h"

#define FAMILY swamp

PORTABLE double swamp_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    return i == 0 ? call->values[0] : 1;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    adapt_row(row, "big", power_of_two(format->precision), 1, power_of_two(format->overflow_exponent - 1));
}

const struct generator generator_swamp = {
    .id = "swamp",
    .summary = "a big number first, ones after it",
    .formula = "x_0 = big, x_i = 1",
    .source = "\"swamping\" of FPRev, Xie, Gao, Wang & Xue, USENIX ATC 2025; in the textbooks before",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "kahan_naive_merge/*,compensated/*,wider/*,exact/*", AT_MOST, 0.5},
                {"n=4Ki", "plain/serial", AT_LEAST, 2000}, {"n=4Ki", "plain/pairwise,fabsum/serial", AT_MOST, 64},
                {"n=1Mi", "plain/serial", AT_LEAST, 5.2e5}, {"n=1Mi", "plain/tree_two_pass", AT_MOST, 17},
                {"n=16Mi", "plain/serial", AT_LEAST, 8.3e6}, {"n=16Mi", "plain/tree_two_pass", AT_MOST, 280},
                {"n=16Mi", "kahan/serial,neumaier/serial,binary64/serial", AT_MOST, 0.5}),
    .exact = "big + n - 1; condition 1",
    .showcase = {"swamp:n=64Ki", "swamp:n=1Mi"},
    .parameters = PARAMETERS({"big", REAL, 0x1p24, 1, 0x1p127, "the first number, rounded to the format", NULL}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .elements = swamp_elements,
};
#endif
