/* uniform: numbers from an interval, all equally likely.
 *
 * t is a multiple of u in [0, 1).  Up to binary32 both products of low (1 - t) + high t are exact in binary64 (24 + 24
 * bits), their sum is rounded there, then once more to the format; in binary64 the products round, too.  For low = 0,
 * high = 1 nothing rounds: x_i = t.  For -1, 1 neither: x_i = 2t - 1.  Rounding may reach `high` itself.
 */
#include "datasets/random.h"

#define FAMILY uniform

/* real[]: low, high */
PORTABLE double uniform_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i;
    const double low = call->real[0], high = call->real[1], t = random_unit(&call->format, random);
    return low * (1 - t) + high * t;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const double low = nearest_in(&call->format, call->values[0]), high = nearest_in(&call->format, call->values[1]);
    call->real[0] = low;
    call->real[1] = high;
    if (low <= high)
        return OK;
    return bad_input("uniform: low=%.9g is above high=%.9g; expected low <= high; exchange them", low, high);
}

static void adapt(const struct format *format, struct parameter *row)
{
    const double largest = format_largest(format);
    adapt_row(row, "low", row->fallback, -largest, largest);
    adapt_row(row, "high", row->fallback, -largest, largest);
}

const struct generator generator_uniform = {
    .id = "uniform",
    .summary = "numbers from an interval, all equally likely",
    .formula = "x_i = low (1 - t) + high t, t uniform in [0, 1), a multiple of u",
    .source = "folklore",
    .effects = EFFECTS(
        {"n=4Ki..1Mi*256", "fabsum_32/*,compensated/*,wider/*,exact/*", AT_MOST, 1},
        {"n=1Mi", "plain/tree_two_pass,plain/shuffle_two_pass,plain/pairwise,plain/vector_two_pass", AT_MOST, 5},
        {"n=1Mi", "fabsum*", AT_MOST, 4}, {"n=16Mi", "plain/serial", AT_LEAST, 10},
        {"n=16Mi", "kahan/serial,neumaier/serial,binary64/serial", AT_MOST, 1},
        {"n=64Ki,low=-1", "compensated/*,wider/*,exact/*", AT_MOST, 1}),
    .exact = "condition 1 for low >= 0; of the order of sqrt(n) for low = -high",
    .showcase = {"uniform:n=64Ki", "uniform:n=64Ki,low=-1"},
    .parameters =
        PARAMETERS({"low", REAL, 0, -(double)FLT_MAX, (double)FLT_MAX, "lower end, rounded to the format", NULL},
                   {"high", REAL, 1, -(double)FLT_MAX, (double)FLT_MAX, "upper end, likewise", NULL}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .prepare = prepare,
    .elements = uniform_elements,
};
#endif
