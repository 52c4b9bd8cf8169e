/* mirror: everything that comes goes again, in reverse.
 *
 *   x_i = (1 + f) 2^-b for i < n/2,  x_(n-1-i) = -x_i;  0 in the middle of an odd n
 *
 * f random with 23 bits, b random in 0 .. binades-1.
 * binades = 8  from 1 to 100
 *
 * Source: Neal's tests of superaccumulators; Zhu & Hayes (both recalled).
 * Hurts: every inexact order, and every report that divides by s: the relative error is undefined, the absolute one is
 * not.  Spares: none; a method that returns 0 here is exact, or pairs x_i with x_(n-1-i).
 * Exact: 0.  Condition: infinite.
 */
#include "../generator.h"

#include <math.h>

static enum status fill(const struct generator_call *call, float *x)
{
    const uint64_t n = call->n;
    const uint64_t binades = (uint64_t)call->values[0];
    for (uint64_t i = 0; i < n / 2; i++) {
        const struct random_bits bits = random_bits(call, i, 0);
        const int b = (int)random_below(random_half(bits, 1), binades);
        x[i] = ldexpf(random_significand(bits.word[0]), -b);
        x[n - 1 - i] = -x[i];
    }
    if (n % 2 == 1)
        x[n / 2] = 0;
    return OK;
}

static const struct parameter parameters[] = {
    {"binades", WHOLE, 8, 1, 100, "the numbers lie in [2^(1-binades), 2)"},
    {0},
};

const struct generator generator_mirror = {
    .id = "mirror",
    .summary = "positive numbers, then their negatives in reverse",
    .formula = "x_i = (1 + f) 2^-b, x_(n-1-i) = -x_i",
    .source = "Neal; Zhu & Hayes (recalled)",
    .hurts = "every inexact method: the exact sum is 0",
    .spares = "none",
    .parameters = parameters,
    .random = true,
    .fill = fill,
};
