/* n_cond_rand: n - 1 numbers near one, and -n before them.
 *
 * What n_cond does not do before n = 2^p, 2^24 in binary32: partial sums around n have no room for the last bits of 1 +
 * r, so that each addition rounds, and the sum is only about -1.  From n = 2^(p-11) / spread on, plain/serial loses
 * most of every r.
 *
 * r is (2t - 1) spread, t a multiple of u in [0, 1); 1 + r is rounded to the format.  Its average is 0, so that the
 * sum stays near -1 while spread sqrt(n) is small; a positive r would end at n/2.
 */
#include "datasets/random.h"

#define FAMILY n_cond_rand

PORTABLE double n_cond_rand_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const double v = 2 * random_unit(&call->format, random) - 1;
    return i == 0 ? -(double)call->n : 1 + v * call->values[0];
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const double rounded = nearest_in(&call->format, (double)call->n);
    if (rounded == (double)call->n)
        return OK;
    return bad_input(
        "n_cond_rand: %s cannot represent n=%llu, and -n is an element; expected an n that it can; take n=%.0f",
        call->format.name, (unsigned long long)call->n, rounded);
}

static void adapt(const struct format *format, struct parameter *row)
{
    const int p = format->precision;
    adapt_row(row, "n", row->fallback, row->least, fmin(row->most, format_largest(format)));
    adapt_row(row, "spread", power_of_two(-(p / 2)), power_of_two(1 - p), 1);
}

const struct generator generator_n_cond_rand = {
    .id = "n_cond_rand",
    .summary = "-n, then n - 1 numbers near one",
    .formula = "x_0 = -n, x_i = 1 + r, r uniform in [-spread, spread)",
    .source =
        "after ReproBLAS, tests/common/test_util.c, util_Vec_N_Cond_Plus_Rand, where the last number alone is random",
    .effects =
        EFFECTS({"n=4Ki..1Mi*256", "compensated/*,wider/*,exact/*,!kahan*,!binned_3x13/*", AT_MOST, 1},
                {"n=4Ki", "plain/*", AT_LEAST, 7}, {"n=4Ki", "kahan/serial", AT_MOST, 200},
                {"n=4Ki", "fabsum/serial", AT_LEAST, 8}, {"n=64Ki", "plain/*", AT_LEAST, 30},
                {"n=64Ki", "kahan/tree_two_pass", AT_MOST, 300}, {"n=64Ki", "fabsum/serial", AT_LEAST, 20},
                {"n=1Mi", "plain/*,binned_3x13/*", AT_LEAST, 1000},
                {"n=1Mi", "fabsum/serial,fabsum/tree_two_pass", AT_LEAST, 30},
                {"n=1Mi", "kahan_naive_merge/tree_two_pass", AT_LEAST, 6000},
                {"n=1Mi", "kahan/serial,kahan/tree_two_pass", AT_LEAST, 4},
                {"n=16Mi", "plain/serial,plain/tree_two_pass", AT_LEAST, 3e4}, {"n=16Mi", "kahan/serial", AT_LEAST, 6}),
    .exact = "-1 + sum r, sum r about spread sqrt(n/3); condition about 2n while that is small",
    .showcase = {"n_cond_rand:n=4096", "n_cond_rand:n=1Mi"},
    .parameters = PARAMETERS({"spread", REAL, 0x1p-12, 0x1p-23, 1, "r lies in [-spread, spread)", NULL}),
    .most_n = 1 << 24,
    .random = true,
    .refuses = formats_of_results,
    .adapt = adapt,
    .prepare = prepare,
    .elements = n_cond_rand_elements,
};
#endif
