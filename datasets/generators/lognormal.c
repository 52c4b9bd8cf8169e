/* lognormal: exp of Gaussians, positive numbers of very different sizes.
 *
 * The largest of n is near exp(mu + sigma sqrt(2 log n)), the middle one exp(mu): with sigma = 6 and n = 65536 about
 * e^26 times as large, so that most numbers are less than half an ulp of the sum and count only together.  What meets
 * the large ones late must have been added up before: in order=magnitude plain summation is accurate, in the reverse it
 * drops the small ones one by one.
 *
 * x = 2^((mu + sigma z) / log 2) by elementary.h's exp2_of(): a relative error of less than 2^-23, so that x is the
 * nearest binary32 or one beside it.  53 bits of exp would take twice the time of z; the other formats take it, with a
 * relative error of less than 2^-51.
 */
#include "datasets/gaussian.h"

#define FAMILY lognormal
#define DRAW lognormal_gaussian

/* The bits of z. */
PORTABLE uint64_t lognormal_gaussian(const struct generator_call *call, uint64_t i, uint64_t random)
{
    return double_bits(gaussian(call, i, random));
}

/* real[0] = sigma / log 2, real[1] = mu / log 2 + EXP2_SHIFT */
PORTABLE double lognormal_element(const struct generator_call *call, uint64_t i, uint64_t z)
{
    (void)i;
    if (call->format.precision == FLT_MANT_DIG)
        return (double)exp2_of(call->real[0] * double_from_bits(z) + call->real[1]);
    return exp_of(call->values[0] + call->values[1] * double_from_bits(z));
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
#include <math.h>

/* How far from 0 a logarithm may be: |z| < 14, and exp(-87) is the least normal binary32, nearly. */
static double farthest(const struct format *format)
{
    const int least = -format_least_normal_exponent(format), most = format->overflow_exponent - 1;
    return fmin(700, floor((least < most ? least : most) * 10 * 0x1.62e42fefa39efp-1) / 10);
}

static enum status prepare(struct generator_call *call)
{
    const double mu = call->values[0], sigma = call->values[1], log2_e = 0x1.71547652b82fep+0;
    call->real[0] = sigma * log2_e;
    call->real[1] = mu * log2_e + EXP2_SHIFT;
    if (fabs(mu) + 14 * sigma <= farthest(&call->format))
        return OK;
    return bad_input("lognormal: |mu| + 14 sigma is %.3g; expected at most %.3g, within which no element overflows or "
                     "is subnormal; choose a smaller sigma",
                     fabs(mu) + 14 * sigma, farthest(&call->format));
}

static void adapt(const struct format *format, struct parameter *row)
{
    const double most = farthest(format);
    adapt_row(row, "mu", 0, -most, most);
    adapt_row(row, "sigma", fmin(2, most / 16), 0, most / 14);
}

const struct generator generator_lognormal = {
    .id = "lognormal",
    .summary = "exp of Gaussians: a few large, many small",
    .formula = "x_i = exp(mu + sigma z_i)",
    .source = "ExBLAS, src/common/common.cpp, init_lognormal",
    .effects = EFFECTS({"n=4Ki..1Mi*256", "compensated/*,wider/*,exact/*", AT_MOST, 1},
                       {"n=64Ki,order=magnitude_descending", "plain/serial", AT_LEAST, 1},
                       {"n=1Mi,order=magnitude", "plain/serial", AT_LEAST, 3},
                       {"n=1Mi,order=magnitude", "plain/tree_two_pass,plain/pairwise", AT_MOST, 4},
                       {"n=1Mi,order=magnitude", "fabsum/*,fabsum_32/*,compensated/*,wider/*,exact/*", AT_MOST, 1},
                       {"n=16Mi", "plain/serial", AT_LEAST, 8e4}, {"n=16Mi", "neumaier/serial", AT_LEAST, 700},
                       {"n=16Mi", "kahan/serial,klein/serial,binary64/serial", AT_MOST, 4}),
    .exact = "condition 1; about n exp(mu + sigma^2/2) while sigma^2 < 2 log n",
    .showcase = {"lognormal:n=64Ki", "lognormal:n=64Ki,sigma=4,order=magnitude_descending"},
    .parameters = PARAMETERS({"mu", REAL, 0, -87, 87, "mean of the logarithm", NULL},
                             {"sigma", REAL, 2, 0, 6, "standard deviation of the logarithm", NULL}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .prepare = prepare,
    .elements = lognormal_elements,
};
#endif
