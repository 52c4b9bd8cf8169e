/* const: one number, n times.
 *
 * The rounding errors of a running sum then all have one sign for a binade at a time, so they add up as n, not as
 * sqrt(n), and the sum stands still once value is below half an ulp of it.
 */
#include "datasets/random.h"

#define FAMILY const

PORTABLE double const_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i, (void)random;
    return call->values[0];
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    const double largest = format_largest(format);
    adapt_row(row, "value", row->fallback, -largest, largest);
}

const struct generator generator_const = {
    .id = "const",
    .summary = "one number, n times",
    .formula = "x_i = value",
    .source = "float32 sums of columns of a constant: numpy#14691",
    .effects = EFFECTS(
        {"n=4Ki", "kahan_naive_merge/*,compensated/*,wider/*,exact/*,!kahan_naive_merge/ranks_linear", AT_MOST, 0},
        {"n=4Ki", "plain/serial", AT_LEAST, 510}, {"n=4Ki", "plain/tree_two_pass", AT_MOST, 0},
        {"n=1Mi", "plain/serial", AT_LEAST, 1.3e5}, {"n=1Mi", "neumaier/serial", AT_LEAST, 890},
        {"n=1Mi", "kahan*,double_float/*,binary64*,binned*,!kahan_naive_merge/ranks_*", AT_MOST, 0},
        {"n=1Mi", "plain/tree_two_pass,plain/pairwise", AT_MOST, 13}, {"n=1Mi", "fabsum/serial", AT_MOST, 13},
        {"n=16Mi", "plain/serial", AT_LEAST, 2e6}, {"n=16Mi", "neumaier/serial", AT_LEAST, 2e5},
        {"n=16Mi", "klein/serial", AT_LEAST, 7000}, {"n=16Mi", "kahan/serial,binary64/serial", AT_MOST, 0}),
    .exact = "n value; condition 1",
    .showcase = {"const:n=1Mi"},
    .parameters =
        PARAMETERS({"value", REAL, 0.1, -(double)FLT_MAX, (double)FLT_MAX, "the number, rounded to the format", NULL}),
    .refuses = every_format,
    .adapt = adapt,
    .elements = const_elements,
};
#endif
