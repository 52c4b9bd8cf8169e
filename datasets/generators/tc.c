/* tc: numbers of one sign, whose sums truncation makes too small; behind a large one all of them are lost.
 *
 * t is an odd multiple of 2^-53, rounded to the format.  A tensor core that keeps F bits below the largest exponent of
 * a block cuts each product at q = 2^(E - F), and loses q/2 of it in the mean, always toward 0; with first, whose
 * square has the exponent E, products below q, all of them.
 */
#include "datasets/random.h"

#define FAMILY tc

PORTABLE double tc_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    return i == 0 && call->values[0] > 0 ? call->values[0] : ((double)(random >> 12) + 0.5) * 0x1p-52;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static void adapt(const struct format *format, struct parameter *row)
{
    adapt_row(row, "first", 0, 0, format_largest(format));
}

const struct generator generator_tc = {
    .id = "tc",
    .summary = "numbers in (0, 1), all of one sign, perhaps behind a large one: what tensor cores truncate",
    .formula = "x_i = t, uniform in (0, 1), rounded to the format; x_0 = first where that is above 0",
    .source = "after Fasi, Higham, Mikaitis & Pranesh, PeerJ CS 7:e330 (2021)",
    .effects = EFFECTS({"n=4Ki..1Mi*256", "compensated/*,wider/*,exact/*", AT_MOST, 1},
                       {"n=4Ki,first=0x1p24", "plain/serial", AT_LEAST, 900},
                       {"n=4Ki,first=0x1p24", "compensated/*,wider/*,exact/*", AT_MOST, 1}),
    .exact = "about n / 2, and first; condition 1",
    .showcase = {"tc:n=64Ki", "tc:n=64Ki,first=0x1p24"},
    .parameters = PARAMETERS({"first", REAL, 0, 0, (double)FLT_MAX, "the first number; 0: one like the others", NULL}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .elements = tc_elements,
};
#endif
