/* n_cond: n - 1 ones, and -n before them.
 *
 * While n <= 2^p no partial sum is rounded: a large condition number alone hurts nobody.  Beyond, -n + 1 is a tie that
 * goes back to -n where the significand of n is even: left to right, nothing is counted, -n instead of -1.  neumaier
 * counts in its correction, which stops at 2^p in its turn.
 */
#include "datasets/random.h"

#define FAMILY n_cond

PORTABLE double n_cond_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    return i == 0 ? -(double)call->n : 1;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const double rounded = nearest_in(&call->format, (double)call->n);
    if (rounded == (double)call->n)
        return OK;
    return bad_input("n_cond: %s cannot represent n=%llu, and -n is an element; expected an n that it can; take n=%.0f",
                     call->format.name, (unsigned long long)call->n, rounded);
}

static void adapt(const struct format *format, struct parameter *row)
{
    adapt_row(row, "n", row->fallback, row->least, fmin(row->most, format_largest(format)));
}

const struct generator generator_n_cond = {
    .id = "n_cond",
    .summary = "-n, then n - 1 ones",
    .formula = "x_0 = -n, x_i = 1",
    .source = "ReproBLAS, tests/common/test_util.c, util_Vec_N_Cond",
    .effects = EFFECTS({"n=4Ki..1Mi*256", ALL_KINDS, AT_MOST, 0},
                       {"n=16Mi", "plain/serial,neumaier/serial,kahan/serial", AT_MOST, 0},
                       {"n=17Mi", "plain/serial,plain/tree_two_pass,plain/pairwise,fabsum/serial", AT_LEAST, 5.6e8},
                       {"n=17Mi", "neumaier/serial", AT_LEAST, 8.7e12},
                       {"n=17Mi", "kahan/serial,klein/serial,double_float/serial,binary64/serial", AT_MOST, 0}),
    .exact = "-1; condition 2n - 1",
    .showcase = {"n_cond:n=4096", "n_cond:n=17Mi"},
    .parameters = PARAMETERS({0}),
    .refuses = formats_of_results,
    .adapt = adapt,
    .prepare = prepare,
    .elements = n_cond_elements,
};
#endif
