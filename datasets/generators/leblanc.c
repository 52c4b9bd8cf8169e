/* leblanc: a shock tube, high energies in one half and low ones in the other.
 *
 * Small numbers that are added to a large partial sum are lost; added first, they gather.  So the same cells give
 * another total for another numbering.  In binary64 a ratio of 1e9 shows this; in binary32 the low half is all below
 * the last bit there, what is seen is high itself added again and again, and 1e5 shows the loss of the low half.
 *
 *   high = 1, ratio = 1e5, n = 64Ki, plain/serial:  high first 32768 (every low one is lost), low first 32768.33
 */
#include "datasets/random.h"

#define FAMILY leblanc

PORTABLE double leblanc_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint64_t highs = call->n - call->n / 2;
    const double first = call->values[2];
    const bool is_high = first == 0 ? i < highs : first == 1 ? i >= call->n - highs : i % 2 == 0;
    return call->real[is_high ? 0 : 1];
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const double least = power_of_two(format_least_normal_exponent(&call->format));
    call->real[0] = nearest_in(&call->format, call->values[1]);
    call->real[1] = nearest_in(&call->format, call->real[0] / call->values[0]);
    if (call->real[1] >= least)
        return OK;
    return bad_input("leblanc: ratio=%.9g,high=%.9g with numbers of %s: high / ratio is below %.3g and subnormal; take "
                     "a smaller ratio",
                     call->values[0], call->values[1], call->format.name, least);
}

static void adapt(const struct format *format, struct parameter *row)
{
    if (format->least_exponent < -100) /* not binary16 */
        return;
    adapt_row(row, "ratio", 1e3, 1, 1e6);
    adapt_row(row, "high", row->fallback, 0x1p-13, 0x1p14);
}

const struct generator generator_leblanc = {
    .id = "leblanc",
    .summary = "half high, half low: what a numbering of cells does to a total",
    .formula = "x_i = high for n - n/2 numbers, high / ratio for the others",
    .source = "lanl/GlobalSums: the Leblanc problem of a shock tube, high values of 0.1 first",
    .effects =
        EFFECTS({"n=4Ki", "kahan_naive_merge/*,compensated/*,wider/*,exact/*", AT_MOST, 0.5},
                {"n=4Ki", "plain/serial", AT_LEAST, 210}, {"n=1Mi", "plain/serial", AT_LEAST, 55000},
                {"n=1Mi", "neumaier/serial", AT_MOST, 3.1},
                {"n=1Mi", "plain/tree_two_pass,plain/pairwise,fabsum/serial", AT_MOST, 13},
                {"n=1Mi", "kahan*,klein/*,double_float/*,binary64*,binned*,!kahan_naive_merge/ranks_*", AT_MOST, 0.5},
                {"n=16Mi", "plain/serial", AT_LEAST, 7.6e5}, {"n=16Mi", "neumaier/serial", AT_LEAST, 8200},
                {"n=16Mi", "klein/serial", AT_LEAST, 1400}, {"n=16Mi", "kahan/serial,binary64/serial", AT_MOST, 0.5},
                {"n=64Ki,ratio=1e5,high=1", "plain/serial", AT_LEAST, 83},
                {"n=64Ki,ratio=1e5,high=1", "kahan/*,neumaier/*,klein/*,binary64*", AT_MOST, 0.5}),
    .exact = "(n - n/2) high + (n/2) low; condition 1",
    .showcase = {"leblanc:n=1Mi", "leblanc:n=1Mi,first=low", "leblanc:n=1Mi,first=interleaved",
                 "leblanc:n=64Ki,ratio=1e5,high=1"},
    .parameters =
        PARAMETERS({"ratio", REAL, 1e9, 1, 1e30, "high / low", NULL},
                   {"high", REAL, 0.1, 0x1p-20, 0x1p80, "the high value, rounded to the format, as low is", NULL},
                   {"first", WORD, 0, 0, 0, "which half stands first", WORDS("high", "low", "interleaved")}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .prepare = prepare,
    .elements = leblanc_elements,
};
#endif
