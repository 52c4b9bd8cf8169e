/* mountain: down in steps of half a significand, and back with the other sign.
 *
 *   2^80, 2^68, 2^56, ..., 2^-112, 2^80, ...   for n/2 numbers, then their negatives, the last first
 *
 * Two neighbours fit in one significand, three do not.  Left to right, what was lost on the way down is lost again on
 * the way back: the result is 0.  A tree whose halves do not mirror each other loses other numbers on either side, and
 * the difference is left: of the size of one rounding of the largest number, but all there is.
 *
 *   n = 30, plain/pairwise_1: -2^57 = -u 2^81
 *
 * In binary16 from 2^2 down to 2^-22, so that no order overflows up to n = 32766.
 */
#include "datasets/random.h"

#define FAMILY mountain

/* whole[]: the exponent of the top, and how many steps there are */
PORTABLE double mountain_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const uint64_t half = call->n / 2, step = (uint64_t)call->values[0];
    if (i >= half && i < call->n - half)
        return 0;
    const uint64_t from_foot = i < half ? i : call->n - 1 - i;
    const double height = power_of_two((int)call->whole[0] - (int)(step * (from_foot % call->whole[1])));
    return i < half ? height : -height;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const bool narrow = call->format.least_exponent > -100;
    call->whole[0] = narrow ? 2 : 80;
    call->whole[1] = (narrow ? 24 : 192) / (uint64_t)call->values[0] + 1;
    return OK;
}

static void adapt(const struct format *format, struct parameter *row)
{
    const bool narrow = format->least_exponent > -100;
    adapt_row(row, "step", format->precision / 2, 1, narrow ? 12 : 48);
    adapt_row(row, "n", row->fallback, row->least, narrow ? 32766 : row->most);
}

const struct generator generator_mountain = {
    .id = "mountain",
    .summary = "falling powers of two, then their negatives, rising",
    .formula = "x_i = 2^(80 - step (i mod p)), p = 192/step + 1 (binary16: 2, 24), x_(n-1-i) = -x_i, 0 in the middle "
               "of an odd n",
    .source = "after ReproBLAS, tests/common/test_util.c, util_Vec_Mountain",
    .effects = EFFECTS(
        {"n=30", "neumaier/*,sum2/*,binary64*,binned*,!*/ranks_*", AT_MOST, 0},
        {"n=30", "plain/pairwise_1,plain/vector_two_pass", AT_LEAST, 1e62},
        {"n=30", "plain/serial,kahan/serial", AT_MOST, 0}, {"n=4000", "klein/*,binned*", AT_MOST, 0},
        {"n=4000", "kahan/serial,kahan_naive_merge/*", AT_LEAST, 3e62},
        {"n=4000", "plain/serial,neumaier/serial,plain/tree_two_pass", AT_MOST, 0},
        {"n=1Mi", "plain/serial,kahan/serial,neumaier/serial,klein/serial,double_float/serial,binary64/serial",
         AT_LEAST, 9.5e55},
        {"n=1Mi", "binned*", AT_MOST, 0}, {"n=1Mi", "plain/pairwise,neumaier/pairwise,binary64/pairwise", AT_MOST, 0}),
    .exact = "0; condition infinite",
    .showcase = {"mountain:n=30", "mountain:n=4000"},
    .parameters = PARAMETERS({"step", WHOLE, 12, 1, 48, "bits from one number to the next", NULL}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .prepare = prepare,
    .elements = mountain_elements,
};
#endif
