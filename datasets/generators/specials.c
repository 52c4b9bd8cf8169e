/* specials: infinities, NaN, partial sums that overflow, and -0, among ordinary numbers.
 *
 *   x_i = +-(1 + f), f random with p - 1 bits, but where the mix puts something else
 *
 *    mix  elements                                        sum by IEEE 754
 *     1   x_0 = inf                                       inf
 *     2   x_0 = inf, x_(n-1) = -inf                       NaN (inf when n = 1)
 *     3   x_0 = NaN                                       NaN
 *     4   x_(n/2) = NaN                                   NaN
 *     5   x_(n-1) = NaN                                   NaN
 *     6   x_0 = inf, x_(n-1) = NaN                        NaN (inf when n = 1)
 *     7   x_0 .. x_4 = MAX, MAX, -MAX, -MAX, 1            1 + the others, finite; partial sums overflow
 *     8   every x_i = -0                                  -0, or 0 for a sum that starts from 0
 *     9   x_0 = inf, x_(n-1) = inf                        inf
 *    10   x_0 = inf, x_(n-1) = inf, x_(n/2) = NaN         NaN (inf when n = 1)
 *    11   x_0 = inf, x_(n-1) = -inf, x_(n/2) = NaN        NaN (inf when n = 1)
 *
 * 1, 9, 2, 3, 6, 10 and 11 are the seven of ReproBLAS, its ones replaced by +-(1 + f).
 *
 * Kahan and its kin make NaN of {inf, 1, 2} unless they take care: inf - inf in the correction.
 */
#include "datasets/random.h"

#define FAMILY specials

/* The mix, worked out by prepare(). */
enum { SPECIALS_MIXES = 11, SPECIALS_OVERFLOWING = 5 };

/* What the mix puts at i, else `ordinary`.  Of two that fall on one element, the first in the table stays. */
PORTABLE double specials_at(const struct generator_call *call, uint64_t i, double ordinary)
{
    const uint64_t mix = call->whole[0];
    const bool first = i == 0, last = i == call->n - 1;
    const double max = format_largest(&call->format), inf = (double)float_from_bits(0x7f800000),
                 nan = (double)float_from_bits(0x7fc00000);
    if (mix == 8)
        return -0.0;
    if (mix == 7 && i < SPECIALS_OVERFLOWING)
        return i < 2 ? max : i < 4 ? -max : 1;
    if (first && mix != 3 && mix != 4 && mix != 5 && mix != 7)
        return inf;
    if (last && (mix == 9 || mix == 10))
        return inf;
    if (last && (mix == 2 || mix == 11))
        return -inf;
    if ((first && mix == 3) || (last && (mix == 5 || mix == 6)))
        return nan;
    return i == call->n / 2 && (mix == 4 || mix == 10 || mix == 11) ? nan : ordinary;
}

PORTABLE double specials_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const double ordinary = random_signed_significand(&call->format, (random & ~1ull) | (random >> 32 & 1));
    const bool plain = i >= SPECIALS_OVERFLOWING && i != call->n / 2 && i != call->n - 1 && call->whole[0] != 8;
    return plain ? ordinary : specials_at(call, i, ordinary);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const uint64_t asked = (uint64_t)call->values[0];
    call->whole[0] = asked ? asked : 1 + call->trial % SPECIALS_MIXES;
    return OK;
}

static const char *refuses(const struct format *format)
{
    return format->finite_only ? "it has no infinity" : NULL;
}

const struct generator generator_specials = {
    .id = "specials",
    .summary = "infinities, NaN, overflow on the way, -0",
    .formula = "x_i = +-(1 + f), but where the mix puts inf, NaN, MAX or -0",
    .source = "ReproBLAS, tests/common/test_util.c, for 1, 2, 3, 6, 9, 10, 11; test262, "
              "test/built-ins/Math/sumPrecise/sum.js, for 7",
    .effects = EFFECTS({"n=1000,mix=7", "plain/serial,kahan/serial", AT_LEAST, NO_NUMBER},
                       {"n=1000,mix=7", "binary64/serial,binary64_kahan/serial", AT_MOST, 1},
                       {"n=1000,mix=8", ALL_KINDS, AT_MOST, 0}),
    .exact = "by the mix: inf, NaN, a number or -0",
    .showcase = {"specials:n=1000"},
    .parameters = PARAMETERS({"mix", WHOLE, 0, 0, 11,
                              "1 inf; 2 inf, -inf; 3, 4, 5 NaN first, mid, last; 6 inf, NaN; 7 MAX, MAX, -MAX, -MAX, "
                              "1; 8 all -0; 9 inf, inf; "
                              "10 inf, NaN, inf; 11 inf, NaN, -inf; 0 in turn, by the trial",
                              NULL}),
    .random = true,
    .refuses = refuses,
    .prepare = prepare,
    .elements = specials_elements,
};
#endif
