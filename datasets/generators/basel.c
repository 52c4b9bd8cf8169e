/* basel: 1, 1/4, 1/9, ...
 *
 * Left to right the sum stands still where 1/k^2 = u is half an ulp of 1.64, in binary32 at k = 4096: what is left,
 * 1/4096, is lost.  From the small end (order=reversed) the result is right to the last bit or nearly.
 *
 * k^2 is exact in binary64 up to k = 2^26, 1/k^2 is rounded there and then to the format: the nearest binary32 for k <=
 * 2^14, as no such 1/k^2 is within 2^-53 of the middle between two of them, and above but once in 2^29.
 */
#include "datasets/random.h"

#define FAMILY basel

PORTABLE double basel_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)call, (void)random;
    const double k = (double)(i + 1);
    return 1.0 / (k * k);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    const double most = power_of_two(-format->least_exponent / 2); /* 1/n^2 is not 0 */
    adapt_row(row, "n", row->fallback, row->least, fmin(row->most, most));
}

const struct generator generator_basel = {
    .id = "basel",
    .summary = "1/k^2: the tail is lost",
    .formula = "x_i = 1/(i+1)^2",
    .source = "folklore",
    .effects = EFFECTS(
        {"n=4Ki..1Mi*256", "kahan_naive_merge/*,compensated/*,wider/*,exact/*,!neumaier/*,!sum2/*,!binned_3x13/*",
         AT_MOST, 0.5},
        {"n=64Ki..1Mi*16", "plain/serial", AT_LEAST, 1600},
        {"n=64Ki..1Mi*16", "plain/pairwise,kahan/serial", AT_MOST, 1}, {"n=1Mi", "plain/tree_two_pass", AT_MOST, 2},
        {"n=1Mi", "neumaier/serial", AT_MOST, 12}, {"n=64Ki,order=reversed", "plain/serial", AT_MOST, 0.5}),
    .exact = "about pi^2/6 - 1/n; condition 1",
    .showcase = {"basel:n=64Ki", "basel:n=64Ki,order=reversed"},
    .parameters = PARAMETERS({0}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .elements = basel_elements,
};
#endif
