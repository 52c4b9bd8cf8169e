/* exp_uniform: every power of two of a range, equally likely.
 *
 *   (1 + f) 2^e, e from -(range/2) on, f a multiple of 2u in [0, 1), negative with a probability
 *
 * A few numbers of the top binade decide the sum; those more than p binades below it are rounded away beside it, so
 * that the order decides what is lost: from the small ones up they gather first.
 *
 * The 64 random bits, put together as a binary32: 16 for e, so that its probabilities are equal to 2^-16; 25 for the
 * sign; 23 for f, of which narrower formats take the upper ones.  binary64 takes its 52 from the element's draw 1.
 */
#include "datasets/random.h"

#define FAMILY exp_uniform

PORTABLE double exp_uniform_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i;
    const uint32_t exponent = ((uint32_t)(random >> 48) * (uint32_t)call->whole[0] >> 16) + (uint32_t)call->whole[1];
    const uint32_t negative = ((uint32_t)(random >> 23) & 0x1ffffff) < (uint32_t)call->whole[2];
    const uint32_t significand = (uint32_t)random & (uint32_t)call->whole[3];
    const double x = (double)float_from_bits(negative << 31 | exponent << 23 | significand);
    if (call->format.precision <= FLT_MANT_DIG)
        return x;
    return double_from_bits(double_bits(x) | random_half(random_bits(call, i, 1), 0) >> 12);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
/* The most binades of normal numbers, half of them below 1; E4M3's highest is not whole. */
static int widest(const struct format *format)
{
    const int below = -format_least_normal_exponent(format), above = format->overflow_exponent - format->finite_only;
    const int most = 2 * (below < above ? below : above);
    return most < 160 ? most : 160;
}

static enum status prepare(struct generator_call *call)
{
    const uint64_t range = (uint64_t)call->values[0];
    const int bits = call->format.precision - 1;
    call->whole[0] = range;
    call->whole[1] = 127 - range / 2; /* the exponent field of the least */
    call->whole[2] = (uint64_t)(call->values[1] * 0x1p25);
    call->whole[3] = bits > 23 ? 0 : 0x7fffff & ~(0x7fffffull >> bits); /* the bits of f */
    return OK;
}

static void adapt(const struct format *format, struct parameter *row)
{
    const int most = widest(format), two_thirds = most * 2 / 3;
    adapt_row(row, "range", two_thirds < 60 ? two_thirds : 60, 1, most);
}

const struct generator generator_exp_uniform = {
    .id = "exp_uniform",
    .summary = "every power of two of a range, equally likely",
    .formula = "x_i = +-(1 + f) 2^e, e uniform in -(range/2) .. range - 1 - range/2",
    .source = "ExBLAS, src/common/common.cpp, init_fpuniform, all positive there",
    .effects = EFFECTS({"n=4Ki..1Mi*256", "compensated/*,wider/*,exact/*,!kahan*", AT_MOST, 1},
                       {"n=64Ki,range=20,negative=0", "fabsum_32/*,compensated/*,wider/*,exact/*", AT_MOST, 1},
                       {"n=64Ki,range=20,negative=0", "plain/serial", AT_LEAST, 80},
                       {"n=64Ki,range=20,negative=0", "plain/tree_two_pass,plain/pairwise", AT_MOST, 4},
                       {"n=1Mi,range=20,negative=0,order=magnitude", "plain/serial", AT_LEAST, 1},
                       {"n=1Mi,range=20,negative=0,order=magnitude", "plain/pairwise", AT_MOST, 4},
                       {"n=1Mi,range=20,negative=0,order=magnitude", "kahan/serial", AT_MOST, 1}),
    .exact = "condition 1 for negative = 0 or 1; of the order of sqrt(n / range) for 0.5",
    .showcase = {"exp_uniform:n=64Ki", "exp_uniform:n=64Ki,range=20,negative=0"},
    .parameters = PARAMETERS({"range", WHOLE, 60, 1, 160, "binades", NULL},
                             {"negative", REAL, 0.5, 0, 1, "the probability of a negative number", NULL}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .prepare = prepare,
    .elements = exp_uniform_elements,
};
#endif
