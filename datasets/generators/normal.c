/* normal: Gaussians.
 *
 * mean + sd z is rounded to binary64, then to the format: for mean = 0 that is the nearest binary32 but in about one of
 * 2^27 elements, where it is its neighbour, and binary64 has one rounding, of sd z.  How z is made, and how far from a
 * Gaussian it is: gaussian.h.
 */
#include "datasets/gaussian.h"

#define FAMILY normal

PORTABLE double normal_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    return call->values[0] + call->values[1] * gaussian(call, i, random);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    const double most = fmin(row->most, format_largest(format) / 16); /* |z| < 14 */
    adapt_row(row, "mean", row->fallback, -most, most);
    adapt_row(row, "sd", row->fallback, 0, most);
}

const struct generator generator_normal = {
    .id = "normal",
    .summary = "Gaussians",
    .formula = "x_i = mean + sd z_i",
    .source = "by the ziggurat of Marsaglia & Tsang, J. Stat. Software 5(8) (2000)",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "compensated/*,wider/*,exact/*,!kahan*", AT_MOST, 1},
                {"n=1Mi", "kahan/tree_two_pass,fabsum/tree_two_pass", AT_MOST, 20},
                {"n=16Mi", "plain/serial", AT_LEAST, 40}, {"n=16Mi", "neumaier/serial,binary64/serial", AT_MOST, 1}),
    .exact = "condition about 0.8 sqrt(n) / |g| for mean = 0, g a Gaussian",
    .showcase = {"normal:n=64Ki"},
    .parameters = PARAMETERS({"mean", REAL, 0, -1e30, 1e30, "centre", NULL},
                             {"sd", REAL, 1, 0, 1e30, "standard deviation", NULL}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .elements = normal_elements,
};
#endif
