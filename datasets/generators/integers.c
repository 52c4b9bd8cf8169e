/* integers: whole numbers, small enough that no order of adding them rounds.
 *
 * Every partial sum of every order is a whole number of at most n most: exact while n most <= 2^p, in binary32 up to n
 * = 2Mi for the default.
 */
#include "datasets/random.h"

#define FAMILY integers

PORTABLE double integers_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i;
    const int64_t most = (int64_t)call->values[0];
    return (double)((int64_t)random_below(random, (uint64_t)(2 * most + 1)) - most);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    adapt_row(row, "most", 8, 1, power_of_two(format->precision));
}

const struct generator generator_integers = {
    .id = "integers",
    .summary = "small whole numbers: no order rounds",
    .formula = "x_i = k, k in -most .. most",
    .source = "folklore",
    .effects = EFFECTS({"n=4Ki..1Mi*256", ALL_KINDS, AT_MOST, 0}),
    .exact = "a whole number of at most n most; no order rounds while that is at most 2^p",
    .showcase = {"integers:n=64Ki"},
    .parameters = PARAMETERS({"most", WHOLE, 8, 1, 0x1p24, "largest absolute value", NULL}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .elements = integers_elements,
};
#endif
