/* round_up: every addition rounds to the same side.
 *
 *   up      1, then a bit more than half an ulp of the partial sum: it becomes the next number each time
 *   down    1, then a bit less than half an ulp: it stays 1
 *   mixed   one or the other, by a hash of i: the same sizes, errors of either sign
 *
 * Left to right, 1 + u (1 + 2u) is 1 + 2u and the error u (1 - 2u), again and again: (n-1)u all together, where errors
 * of either sign come to about sqrt(n) u.  From 2^b on an ulp is 2^b times larger, and so is x_i: i - 1 = 2^(p-1) b
 * additions lead there.
 */
#include "datasets/random.h"
#include "datasets/splitmix64.h"

#define FAMILY round_up

PORTABLE double round_up_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const double side = call->values[0];
    if (i == 0)
        return 1;
    const double u = format_u(&call->format);
    if (side == 0)
        return (1 + 2 * u) * u * power_of_two((int)((i - 1) >> (call->format.precision - 1)));
    return side == 2 && (splitmix64(i) & 1) ? (1 + 2 * u) * u : (1 - u) * u;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
/* `mixed` does not know how often the sum was rounded up: it must not leave [1, 2). */
static enum status prepare(struct generator_call *call)
{
    const unsigned long long most = 1ull << (call->format.precision - 1);
    if (call->values[0] != 2 || call->n <= most)
        return OK;
    return bad_input("round_up: n=%llu,side=mixed: the partial sums may reach 2, where an ulp is another; expected n "
                     "of at most %llu; take a smaller n, or side=up",
                     (unsigned long long)call->n, most);
}

static void adapt(const struct format *format, struct parameter *row)
{
    const double binades = format->overflow_exponent - 2;
    adapt_row(row, "n", row->fallback, 0, fmin(row->most, binades * power_of_two(format->precision - 1)));
}

const struct generator generator_round_up = {
    .id = "round_up",
    .summary = "every partial sum of plain/serial is rounded up",
    .formula = "x_0 = 1, x_i = ulp(s)/2 (1 + 2u), s the partial sum of plain/serial; down: u (1 - u)",
    .source = "made for ulpscope",
    .effects = EFFECTS(
        {"n=4Ki..1Mi*256", "kahan_naive_merge/*,compensated/*,wider/*,exact/*", AT_MOST, 0.5},
        {"n=64Ki", "plain/serial", AT_LEAST, 32000}, {"n=64Ki", "plain/pairwise", AT_LEAST, 63},
        {"n=64Ki", "plain/tree_two_pass", AT_MOST, 1.5}, {"n=16Mi", "plain/serial", AT_LEAST, 6.2e6},
        {"n=16Mi", "plain/tree_two_pass", AT_MOST, 68}, {"n=64Ki,side=down", "plain/serial", AT_LEAST, 32000},
        {"n=64Ki,side=mixed", "kahan_naive_merge/*,compensated/*,wider/*,exact/*", AT_MOST, 0.5},
        {"n=64Ki,side=mixed", "plain/serial", AT_LEAST, 94}, {"n=64Ki,side=mixed", "plain/pairwise", AT_MOST, 2.5}),
    .exact = "1 + (n-1)(u + 2u^2) up to n = 2^(p-1) + 1; condition 1",
    .showcase = {"round_up:n=64Ki", "round_up:n=1Mi", "round_up:n=64Ki,side=mixed"},
    .parameters =
        PARAMETERS({"side", WORD, 0, 0, 0, "to which side plain/serial rounds", WORDS("up", "down", "mixed")}),
    .most_n = 1 << 29,
    .refuses = formats_of_results,
    .adapt = adapt,
    .prepare = prepare,
    .elements = round_up_elements,
};
#endif
