/* telescope: differences of powers, and the last power taken back.
 *
 *   t_1 - t_0, t_2 - t_1, ..., t_(n-1) - t_(n-2), -t_(n-1)      t_i = r^i, rounded to binary32
 *
 * For 1 < r < 2 each difference is exact (Sterbenz's lemma), so that the sum is -t_0 = -1 exactly, however the powers
 * are rounded.  Left to right the partial sums are t_i - 1: the -1 is rounded away once t_i is beyond 2^(p+1), and
 * there is nothing of the sum left.
 *
 *   r = 1.5:  0.5, 0.75, 1.125, -3.375
 *
 * t_i = 2^(i log2(r)) by elementary.h: rounded with an error of up to 2^-23 instead of 2^-24, t_0 = 1 exactly.  r
 * >= 1.0001 is 800 such errors above 1 and 1.99 far from 2, so that 1 < t_(i+1) / t_i < 2.  The range of binary32 ends
 * such series at 870,000 numbers.  In other formats t_i = exp(i log(r)), rounded once.
 */
#include "datasets/random.h"
#include "src/base/elementary.h"

#define FAMILY telescope

/* i < 2^20; real[0] = log2(r), real[1] = log(r) */
PORTABLE double telescope_power(const struct generator_call *call, uint64_t i)
{
    if (call->format.precision != FLT_MANT_DIG)
        return nearest_in(&call->format, exp_of((double)(int32_t)i * call->real[1]));
    return (double)exp2_of((double)(int32_t)i * call->real[0] + EXP2_SHIFT);
}

PORTABLE double telescope_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const double here = telescope_power(call, i), next = telescope_power(call, i + 1);
    const uint32_t all_but_last = (uint32_t)all_ones_below(i + 1, call->n);
    if (call->format.precision == FLT_MANT_DIG)
        return (double)(float_from_bits(float_bits((float)next) & all_but_last) - (float)here);
    return (all_but_last ? next : 0) - here;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const double r = call->values[0];
    call->real[0] = log_of(r) * 0x1.71547652b82fep+0;
    call->real[1] = log_of(r);
    const int top =
        call->format.overflow_exponent < 1024 ? call->format.overflow_exponent - 2 : 1000; /* exp_of's end */
    const uint64_t most = 1 + (uint64_t)(top / call->real[0]);
    if (call->n <= most)
        return OK;
    return bad_input(
        "telescope: n=%llu,r=%.9g: r^(n-1) is beyond %s; expected at most n=%llu for this r; take a smaller n or r",
        (unsigned long long)call->n, r, call->format.name, (unsigned long long)most);
}

static void adapt(const struct format *format, struct parameter *row)
{
    const double u = format_u(format); /* r (1 +- u) / (1 +- u) is between 1 and 2 */
    adapt_row(row, "r", 1 + fmax(0.02, 4 * u), 1 + fmax(1e-4, 4 * u), 2 - fmax(0.01, 8 * u));
    adapt_row(row, "n", format->overflow_exponent < 100 ? 400 : 2000, 0, row->most);
}

const struct generator generator_telescope = {
    .id = "telescope",
    .summary = "differences of powers, and the last power taken back",
    .formula = "x_i = t_(i+1) - t_i, x_(n-1) = -t_(n-1), t_i = r^i, rounded with an error of up to 2u",
    .source = "CPython, Lib/test/test_math.py, testFsum, r = 1.7",
    .effects =
        EFFECTS({"n=100,r=1.7", "plain/*_two_pass,kahan_naive_merge/*_two_pass,binned*/*_two_pass", AT_LEAST, 8.3e6},
                {"n=100,r=1.7", "kahan/serial,binary64/serial,binary64_kahan/serial", AT_LEAST, 8.3e6},
                {"n=100,r=1.7", "neumaier/serial,klein/serial,double_float/serial", AT_MOST, 0},
                {"n=4Ki", "plain/*_two_pass,kahan_naive_merge/*_two_pass,binary64/*_two_pass,binned*/*_two_pass",
                 AT_LEAST, 8.3e6},
                {"n=4Ki", "kahan/serial,fabsum/serial", AT_LEAST, 8.3e6},
                {"n=4Ki", "neumaier/tree_two_pass,klein/tree_two_pass,double_float/tree_two_pass", AT_LEAST, 8.3e6},
                {"n=4Ki", "neumaier/serial,klein/serial,double_float/serial", AT_MOST, 0}),
    .exact = "-1; condition 2 r^(n-1) - 1",
    .showcase = {"telescope:n=100,r=1.7", "telescope:n=4096"},
    .parameters = PARAMETERS({"r", REAL, 1.02, 1.0001, 1.99, "the ratio of two powers", NULL}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .prepare = prepare,
    .elements = telescope_elements,
};
#endif
