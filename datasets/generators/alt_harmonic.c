/* alt_harmonic: -1, 1/2, -1/3, 1/4, ...
 *
 * Neighbours nearly cancel and the partial sums swing about -log 2, half an ulp of which is lost in every step: 158
 * ulps for n = 2^20, left to right.  From the small end (order=reversed) the partial sums grow with the terms: 0.03
 * ulps. The elements are harmonic's.
 */
#include "datasets/random.h"

#define FAMILY alt_harmonic

PORTABLE double alt_harmonic_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const bool as_float = call->format.precision == FLT_MANT_DIG && i < 1u << 24;
    const double part = as_float ? (double)(1.0f / (float)(i + 1)) : 1.0 / (double)(i + 1);
    return i % 2 == 0 ? -part : part;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    adapt_row(row, "n", row->fallback, row->least, fmin(row->most, 1 / format_least(format))); /* 1/n is not 0 */
}

const struct generator generator_alt_harmonic = {
    .id = "alt_harmonic",
    .summary = "(-1)^k/k, to -log 2",
    .formula = "x_i = (-1)^(i+1)/(i+1)",
    .source = "CPython, Lib/test/test_math.py, testFsum, for 1000 terms",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "compensated/*,wider/*,exact/*,!binned_3x13/*", AT_MOST, 0.5},
                {"n=1Mi", "plain/serial", AT_LEAST, 150}, {"n=1Mi", "plain/tree_two_pass,plain/pairwise", AT_MOST, 6},
                {"n=1Mi,order=reversed", "plain/*,kahan/*", AT_MOST, 10}),
    .exact = "about 1/(2n) - log(2) for even n; condition about 1.44 log(n) + 0.83",
    .showcase = {"alt_harmonic:n=1Mi", "alt_harmonic:n=1Mi,order=reversed"},
    .parameters = PARAMETERS({0}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .elements = alt_harmonic_elements,
};
#endif
