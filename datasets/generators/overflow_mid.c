/* overflow_mid: partial sums overflow, the sum does not.  M is the largest number, in binary32 2^128 - 2^104; zeros
 * follow.
 *
 *   cancelling  M, M, -M, -M, 1                                 1
 *   tie         M, 2^103, -2^79                                 M     half an ulp more, which alone rounds to 2^128
 *   under       M, 2^103 - 2^79                                 M     nothing overflows: a method that does is wrong
 *   mixed       3e38, 3e38, .1, .1, 1e20, .1, -1e20, -3e38, -3e38     0.3: binary64 does not overflow, and has 0
 *
 * Plain summation has inf.  A correction made of inf is NaN, unless a method drops it.
 */
#include "datasets/random.h"

#define FAMILY overflow_mid

PORTABLE double overflow_mid_cancelling(double max, uint64_t i)
{
    return i < 2 ? max : i < 4 ? -max : i == 4 ? 1 : 0;
}

/* Of binary64 1.6e308, of binary16 6e4 and 1e3. */
PORTABLE double overflow_mid_mixed(const struct format *format, uint64_t i)
{
    const int most = format->overflow_exponent;
    const double huge = most > 1000 ? 1.6e308 : most > 100 ? 3e38 : 6e4, tenth = 0.1, large = most > 100 ? 1e20 : 1e3;
    switch (i) {
    case 0:
    case 1:
        return huge;
    case 4:
        return large;
    case 6:
        return -large;
    case 7:
    case 8:
        return -huge;
    default:
        return i < 6 ? tenth : 0;
    }
}

PORTABLE double overflow_mid_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const int p = call->format.precision;
    const double max = format_largest(&call->format), half_ulp = power_of_two(call->format.overflow_exponent - p - 1);
    const double last_of_it = half_ulp * power_of_two(-p);
    switch ((unsigned)call->values[0]) {
    case 0:
        return overflow_mid_cancelling(max, i);
    case 1:
        return i == 0 ? max : i == 1 ? half_ulp : i == 2 ? -last_of_it : 0;
    case 2:
        return i == 0 ? max : i == 1 ? half_ulp - last_of_it : 0;
    default:
        return overflow_mid_mixed(&call->format, i);
    }
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const char *const patterns[] = {"cancelling", "tie", "under", "mixed", NULL};

static enum status prepare(struct generator_call *call)
{
    enum { MIXED = 3, MIXED_LENGTH = 9 };
    if (call->values[0] != MIXED || call->n >= MIXED_LENGTH)
        return OK;
    return bad_input("overflow_mid: n=%llu; pattern=mixed takes %d numbers; choose a larger n",
                     (unsigned long long)call->n, MIXED_LENGTH);
}

const struct generator generator_overflow_mid = {
    .id = "overflow_mid",
    .summary = "partial sums that overflow, a sum that does not",
    .formula = "M, M, -M, -M, 1, 0, 0, ...; other patterns",
    .source = "after test262, test/built-ins/Math/sumPrecise/sum.js",
    .effects = EFFECTS(
        {"n=4Ki", "plain/serial,kahan/serial,neumaier/serial,klein/serial,double_float/serial,fabsum/serial", AT_LEAST,
         NO_NUMBER},
        {"n=4Ki", "binned*", AT_LEAST, 8.3e6}, {"n=4Ki", "binary64/serial,binary64_kahan/serial", AT_MOST, 0},
        {"n=4Ki,pattern=tie", "plain/serial,kahan/serial,neumaier/serial", AT_LEAST, NO_NUMBER},
        {"n=4Ki,pattern=under", "binned_3x13/*", AT_LEAST, NO_NUMBER},
        {"n=4Ki,pattern=under", "uncompensated/*,compensated/*,wider/*,exact/*,!binned_3x13/*", AT_MOST, 0.5},
        {"n=4Ki,pattern=mixed", "plain/serial,kahan/serial,neumaier/serial", AT_LEAST, NO_NUMBER},
        {"n=4Ki,pattern=mixed", "binary64/serial", AT_LEAST, 1e7}, {"n=4Ki,pattern=mixed", "binned*", AT_LEAST, 1e7}),
    .exact = "1; 2^128 - 2^103 - 2^79; 2^128 - 2^103 - 2^79; 3 times 0.1, rounded",
    .showcase = {"overflow_mid:n=4096", "overflow_mid:n=4096,pattern=tie", "overflow_mid:n=4096,pattern=under",
                 "overflow_mid:n=4096,pattern=mixed"},
    .parameters = PARAMETERS({"pattern", WORD, 0, 0, 0, "which numbers", patterns}),
    .least_n = 5, /* of the default */
    .refuses = formats_of_results,
    .prepare = prepare,
    .elements = overflow_mid_elements,
};
#endif
