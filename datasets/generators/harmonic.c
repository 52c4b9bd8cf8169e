/* harmonic: 1, 1/2, 1/3, ...
 *
 * The series diverges; its sum in binary32 does not: left to right it stands still at 15.4036827 from k = 2^21 on,
 * where 1/k is less than half an ulp.  From the small end (order=reversed) nothing is lost at once.
 *
 * 1/k is correctly rounded, in binary32 for k <= 2^24: above, k is not a binary32 and 1/k is rounded to binary64 first,
 * which is the nearest binary32 but once in 2^29.  Of narrower formats it always is: no 1/k with k < 2^40 is within
 * 2^-53 of the middle between two numbers of 11 bits.  In binary16 it is subnormal from k = 2^14 on, and 0 from 2^25.
 */
#include "datasets/random.h"

#define FAMILY harmonic

PORTABLE double harmonic_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    if (call->format.precision == FLT_MANT_DIG && i < 1u << 24)
        return (double)(1.0f / (float)(i + 1));
    return 1.0 / (double)(i + 1);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    adapt_row(row, "n", row->fallback, row->least, fmin(row->most, 1 / format_least(format))); /* 1/n is not 0 */
}

const struct generator generator_harmonic = {
    .id = "harmonic",
    .summary = "1/k, the series that stands still",
    .formula = "x_i = 1/(i+1)",
    .source = "CPython, Lib/test/test_math.py, testFsum, for 1000 terms",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "kahan_naive_merge/*,fabsum*,compensated/*,wider/*,exact/*", AT_MOST, 1},
                {"n=1Mi", "plain/serial", AT_LEAST, 38000}, {"n=1Mi", "plain/tree_two_pass,plain/pairwise", AT_MOST, 4},
                {"n=4Mi", "neumaier/serial", AT_LEAST, 1800}, {"n=16Mi", "plain/serial", AT_LEAST, 9.4e5},
                {"n=16Mi", "neumaier/serial", AT_LEAST, 1e5}, {"n=16Mi", "klein/serial", AT_LEAST, 520},
                {"n=16Mi", "kahan/serial,binary64/serial", AT_MOST, 0.5},
                {"n=1Mi,order=reversed", "plain/serial", AT_LEAST, 74},
                {"n=1Mi,order=reversed", "kahan/serial,neumaier/serial,plain/tree_two_pass", AT_MOST, 0.5}),
    .exact = "about log(n) + 0.5772; condition 1",
    .showcase = {"harmonic:n=1Mi", "harmonic:n=1Mi,order=reversed", "harmonic:n=4Mi"},
    .parameters = PARAMETERS({0}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .elements = harmonic_elements,
};
#endif
