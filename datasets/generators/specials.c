/* specials: infinities, NaN, partial sums that overflow, and -0, among ordinary numbers.
 *
 *   x_i = +-(1 + f), f random with 23 bits, but where the mix puts something else
 *
 * mix = 0      a number below; 0 takes 1 to 8 in turn, by the trial
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
 *
 * Source: the mixes of ReproBLAS's tests; test262's Math.sumPrecise for the seventh (both recalled).
 * Hurts: Kahan and its kin, which make NaN of {inf, 1, 2} unless they take care: inf - inf in the correction.  The
 * seventh hurts every method that adds in binary32; binary64 is spared.
 */
#include "../../src/fp.h"
#include "../generator.h"

#include <float.h>
#include <math.h>

enum { MIXES = 8 };

static float ordinary(const struct generator_call *call, uint64_t i)
{
    const struct random_bits bits = random_bits(call, i, 0);
    const float magnitude = random_significand(bits.word[0]);
    return bits.word[1] & 1 ? -magnitude : magnitude;
}

static void put_overflow(float *x, uint64_t n)
{
    const float head[] = {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, 1};
    for (uint64_t i = 0; i < n && i < sizeof head / sizeof *head; i++)
        x[i] = head[i];
}

/* n > 0.  Of two that fall on one element, the first in the table stays. */
static void put_specials(unsigned mix, float *x, uint64_t n)
{
    const float nan = float_from_bits(0x7fc00000);
    if (mix == 2)
        x[n - 1] = -INFINITY;
    if (mix == 5 || mix == 6)
        x[n - 1] = nan;
    if (mix == 4)
        x[n / 2] = nan;
    if (mix == 3)
        x[0] = nan;
    if (mix == 1 || mix == 2 || mix == 6)
        x[0] = INFINITY;
    if (mix == 7)
        put_overflow(x, n);
}

static enum status fill(const struct generator_call *call, float *x)
{
    const unsigned asked = (unsigned)call->values[0];
    const unsigned mix = asked ? asked : 1 + (unsigned)(call->trial % MIXES);
    for (uint64_t i = 0; i < call->n; i++)
        x[i] = mix == 8 ? -0.0f : ordinary(call, i);
    if (call->n > 0)
        put_specials(mix, x, call->n);
    return OK;
}

static const struct parameter parameters[] = {
    {"mix", WHOLE, 0, 0, MIXES,
     "1 inf; 2 inf, -inf; 3, 4, 5 NaN first, mid, last; 6 inf, NaN; 7 MAX, MAX, -MAX, -MAX, 1; 8 all -0; 0 in turn"},
    {0},
};

const struct generator generator_specials = {
    .id = "specials",
    .summary = "infinities, NaN, overflow on the way, -0",
    .formula = "x_i = +-(1 + f), but where the mix puts inf, NaN, MAX or -0",
    .source = "ReproBLAS's tests; test262 (recalled)",
    .hurts = "kahan and its kin without care; all of binary32 when a partial sum overflows",
    .spares = "plain, but for the overflow; binary64",
    .parameters = parameters,
    .random = true,
    .fill = fill,
};
