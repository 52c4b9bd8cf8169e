/* bias: numbers around mu, which is 0 or not.
 *
 * Around 0 the partial sums of plain/serial grow as sqrt(n) and their rounding errors with them; around mu != 0 they
 * grow as n.  Rounding errors of either sign add up as a random walk, so that
 *
 *   mu = 0   |error| about n u,          backward error (|error| / sum |x|) of the order of u for every n
 *   mu = 1   |error| about n sqrt(n) u,  backward error of the order of sqrt(n) u
 *
 * where the proven bound is n u for both.
 */
#include "datasets/random.h"

#define FAMILY bias

PORTABLE double bias_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i;
    const double v = 2 * random_unit(&call->format, random) - 1;
    return v + call->values[0];
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    const double most = fmin(0x1p20, power_of_two(format->overflow_exponent - 2));
    adapt_row(row, "mu", 1, -most, most);
}

const struct generator generator_bias = {
    .id = "bias",
    .summary = "numbers around mu: the error of plain/serial grows faster when mu is not 0",
    .formula = "x_i = mu + v, v uniform in [-1, 1), rounded to the format",
    .source = "after Higham & Mary, SIAM J. Sci. Comput. 42(5) (2020) A3427: random data of mean 0 and of another",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "fabsum_32/*,compensated/*,wider/*,exact/*", AT_MOST, 1},
                {"n=1Mi", "plain/serial", AT_LEAST, 3}, {"n=1Mi", "plain/tree_two_pass,plain/pairwise", AT_MOST, 4},
                {"n=16Mi", "plain/serial", AT_LEAST, 20}, {"n=1Mi,mu=0", "compensated/*,wider/*,exact/*", AT_MOST, 1}),
    .exact = "about n mu; condition 1 for |mu| >= 1, of the order of sqrt(n) for mu = 0",
    .showcase = {"bias:n=64Ki", "bias:n=64Ki,mu=0"},
    .parameters = PARAMETERS({"mu", REAL, 1, -0x1p20, 0x1p20, "the middle of the interval", NULL}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .elements = bias_elements,
};
#endif
