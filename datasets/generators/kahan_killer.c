/* kahan_killer: a correction that is kept cannot hold two sizes at once.
 *
 *   1, B, 1, -B, 1, B, 1, -B, ...  cut off at n
 *
 * Kahan loses the first 1 when B arrives, because its correction is exact only for |s| >= |y|; it keeps the second as a
 * correction, which joins the next term, -B, and is rounded away there: 0 for every quadruple, where Neumaier has 2.
 * Above B = 2^96 an order that meets the B first could overflow; in binary16 it can with every B.
 */
#include "datasets/random.h"

#define FAMILY kahan_killer

PORTABLE double kahan_killer_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const double big = call->values[0];
    return i % 2 == 0 ? 1 : i % 4 == 1 ? big : -big;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    const int p = format->precision, most = format->overflow_exponent; /* big: beyond two words */
    const double big = power_of_two(most > 1000 ? 2 * p + 14 : most > 100 ? 60 : p + 1);
    adapt_row(row, "big", big, power_of_two(p + 1), power_of_two(most > 100 ? most - 32 : most - 2));
}

const struct generator generator_kahan_killer = {
    .id = "kahan_killer",
    .summary = "1, B, 1, -B again and again",
    .formula = "x = 1, B, 1, -B, 1, B, ...",
    .source = "CPython, Lib/test/test_builtin.py, test_sum_accuracy: [1.0, 10E100, 1.0, -10E100]",
    .effects =
        EFFECTS({"n=4Ki,big=0x1p30", "plain/serial,kahan/serial,fabsum/serial", AT_LEAST, 8.3e6},
                {"n=4Ki,big=0x1p30", "plain/tree_two_pass,kahan/tree_two_pass", AT_MOST, 0},
                {"n=4Ki,big=0x1p30", "neumaier/*,klein/*,double_float/*,binary64*,binned*", AT_MOST, 0},
                {"n=4Ki",
                 "plain/serial,kahan/serial,fabsum/serial,binary64/serial,binary64_kahan/serial,binned/*,binned_3x13/*",
                 AT_LEAST, 8.3e6},
                {"n=4Ki", "neumaier/*,klein/*,double_float/*,binned_4x20/*", AT_MOST, 0},
                {"n=1Mi", "plain/serial,kahan/serial,binary64/serial", AT_LEAST, 8.3e6},
                {"n=1Mi", "neumaier/*,klein/*", AT_MOST, 0}),
    .exact = "2k for n = 4k; 2k + 1, 2k + 1 + B, 2k + 2 + B for 1, 2, 3 more; condition 1 + B for n = 4k",
    .showcase = {"kahan_killer:n=4096,big=0x1p30", "kahan_killer:n=4096"},
    .parameters = PARAMETERS({"big", REAL, 0x1p60, 0x1p25, 0x1p96, "B, rounded to the format", NULL}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .elements = kahan_killer_elements,
};
#endif
