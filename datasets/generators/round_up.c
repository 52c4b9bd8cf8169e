/* round_up: every addition rounds to the same side.
 *
 *   up      1, then a bit more than half an ulp of the partial sum: it becomes the next number each time
 *   down    1, then a bit less than half an ulp: it stays 1
 *   mixed   one or the other, by a hash of i: the same sizes, errors of either sign
 *
 * Left to right, 1 + 2^-24 (1 + 2^-23) is 1 + 2^-23 and the error 2^-24 (1 - 2^-23), again and again: (n-1)u all
 * together, where errors of either sign come to about sqrt(n) u.  From 2^b on an ulp is 2^b times larger, and so is
 * x_i: i - 1 = 2^23 b additions lead there.
 */
#include "datasets/random.h"
#include "datasets/splitmix64.h"

#define FAMILY round_up

PORTABLE float round_up_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)random;
    const double side = call->values[0];
    if (i == 0)
        return 1;
    if (side == 0) /* (1 + 2^-23) 2^(binade-24) */
        return float_from_bits(0x33800001u + ((uint32_t)((i - 1) >> 23) << 23));
    return float_from_bits(side == 2 && (splitmix64(i) & 1) ? 0x33800001u : 0x337fffffu); /* below: (1 - 2^-24) 2^-24 */
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
/* `mixed` does not know how often the sum was rounded up: it must not leave [1, 2). */
static enum status prepare(struct generator_call *call)
{
    if (call->values[0] != 2 || call->n <= 1 << 23)
        return OK;
    complain("round_up: n=%llu,side=mixed: the partial sums may reach 2, where an ulp is another; expected n of at "
             "most 8Mi; take a smaller n, or side=up",
             (unsigned long long)call->n);
    return BAD_INPUT;
}

static const char *const sides[] = {"up", "down", "mixed", NULL};

static const struct parameter parameters[] = {
    {"side", WORD, 0, 0, 0, "to which side plain/serial rounds", sides},
    {0},
};

static const struct effect effects[] = {
    {"n=4Ki..1Mi*256", "*,!plain/*,!fabsum*", AT_MOST, 0.5},
    {"n=64Ki", "plain/serial", AT_LEAST, 32000},
    {"n=64Ki", "plain/pairwise", AT_LEAST, 63},
    {"n=64Ki", "plain/tree_two_pass", AT_MOST, 1.5},
    {"n=16Mi", "plain/serial", AT_LEAST, 6.2e6},
    {"n=16Mi", "plain/tree_two_pass", AT_MOST, 68},
    {"n=64Ki,side=down", "plain/serial", AT_LEAST, 32000},
    {"n=64Ki,side=mixed", "*,!plain/*,!fabsum*", AT_MOST, 0.5},
    {"n=64Ki,side=mixed", "plain/serial", AT_LEAST, 94},
    {"n=64Ki,side=mixed", "plain/pairwise", AT_MOST, 2.5},
    {0},
};

const struct generator generator_round_up = {
    .id = "round_up",
    .summary = "every partial sum of plain/serial is rounded up",
    .formula = "x_0 = 1, x_i = ulp(s)/2 (1 + 2^-23), s the partial sum of plain/serial; down: u (1 - 2^-24)",
    .source = "made for ulpscope",
    .effects = effects,
    .exact = "1 + (n-1)(u + 2^-47) up to n = 2^23 + 1; condition 1",
    .showcase = {"round_up:n=64Ki", "round_up:n=1Mi", "round_up:n=64Ki,side=mixed"},
    .parameters = parameters,
    .most_n = 1 << 29,
    .prepare = prepare,
    .elements = round_up_elements,
};
#endif
