/* binary64_killer: a number so large that even binary64 has no bit left for a one.
 *
 *   B, 1, 1, ..., 1, -B
 *
 * Between B = 2^52 and 2^53 the spacing of binary64 is 1: all ones are kept.  At B = 2^53 it is 2 and B + 1 a tie that
 * goes back to the even B; at 2^54 it is 4, and a one is rounded away beside any number of that size, even or not.
 * Left to right both give 0.  A tree gathers ones before they meet B, and what has come to more than B 2^-53 by then is
 * kept: at 2^54 a few are lost, at 2^70 all.
 */
#include "datasets/random.h"

#define FAMILY binary64_killer

PORTABLE double binary64_killer_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const double big = call->values[0];
    return i == 0 ? big : i == call->n - 1 ? -big : 1;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const char *refuses(const struct format *format)
{
    if (format->least_exponent > -100 && format->bytes > 1)
        return "B is 2^24 or more";
    return formats_of_results(format);
}

const struct generator generator_binary64_killer = {
    .id = "binary64_killer",
    .summary = "a big number, ones, and the big number back",
    .formula = "x_0 = B, x_i = 1, x_(n-1) = -B",
    .source = "made for ulpscope",
    .effects = EFFECTS(
        {"n=4Ki,big=0x1p52", "plain/*,kahan/serial,fabsum/serial,kahan_naive_merge/*,binned/*", AT_LEAST, 1.6e7},
        {"n=4Ki,big=0x1p52", "kahan/pairwise", AT_LEAST, 5.2e5},
        {"n=4Ki,big=0x1p52", "kahan/tree_two_pass", AT_MOST, 0},
        {"n=4Ki,big=0x1p52", "neumaier/*,klein/*,double_float/*,binary64*,binned_4x20/*", AT_MOST, 0},
        {"n=4Ki,big=0x1p54", "binary64/serial", AT_LEAST, 1.6e7},
        {"n=4Ki,big=0x1p54", "binary64/tree_two_pass", AT_LEAST, 16000},
        {"n=4Ki,big=0x1p54", "binary64_kahan/serial", AT_LEAST, 8100},
        {"n=4Ki,big=0x1p70..0x1p126*0x1p56", "plain/*,kahan/serial,binary64/*,binary64_kahan/serial,binned*", AT_LEAST,
         1.6e7},
        {"n=4Ki,big=0x1p70..0x1p126*0x1p56", "kahan/tree_two_pass,binary64_kahan/tree_two_pass", AT_MOST, 0},
        {"n=4Ki,big=0x1p70..0x1p126*0x1p56", "neumaier/*,klein/*,double_float/*", AT_MOST, 0},
        {"n=1Mi,big=0x1p52", "plain/serial,kahan/serial", AT_LEAST, 1.6e7},
        {"n=1Mi,big=0x1p52", "kahan/tree_two_pass", AT_LEAST, 540}, {"n=1Mi,big=0x1p52", "binary64*", AT_MOST, 0}),
    .exact = "n - 2; condition 1 + 2B/(n-2)",
    .showcase = {"binary64_killer:n=4096,big=0x1p52", "binary64_killer:n=4096,big=0x1p54",
                 "binary64_killer:n=4096,big=0x1p70"},
    .parameters = PARAMETERS({"big", REAL, 0x1p54, 0x1p24, 0x1p126, "B, rounded to the format", NULL}),
    .least_n = 3,
    .refuses = refuses,
    .elements = binary64_killer_elements,
};
#endif
