/* uniform: numbers from [low, high], all alike.
 *
 *   x_i = low (1 - t) + high t,  t a multiple of 2^-24 in [0, 1)
 *
 * low = 0      binary32, default 0; rounded to binary32
 * high = 1     binary32, default 1; likewise; at least low
 *
 * Both products are exact in binary64 (24 + 24 bits), their sum is rounded there, then once more to binary32.  For
 * low = 0, high = 1 nothing rounds: x_i = t.  For -1, 1 neither: x_i = 2t - 1.  Rounding may reach `high` itself.
 *
 * Source: folklore; the two cases low = 0 and low = -high are the ones whose errors grow as n and as sqrt(n) (Higham &
 * Mary, SIAM J. Sci. Comput. 41 (2019) (recalled)).
 * Hurts: plain serial, slowly.  Spares: trees and everything compensated.
 * Condition: 1 when low >= 0; of the order of sqrt(n) when low = -high.
 */
#include "../generator.h"

#include <float.h>

static enum status fill(const struct generator_call *call, float *x)
{
    const double low = (double)(float)call->values[0];
    const double high = (double)(float)call->values[1];
    if (low > high) {
        complain("uniform: low=%.9g is above high=%.9g; low <= high was expected; exchange them", low, high);
        return BAD_INPUT;
    }
    for (uint64_t i = 0; i < call->n; i++) {
        const double t = (double)random_unit(random_bits(call, i, 0).word[0]);
        x[i] = (float)(low * (1 - t) + high * t);
    }
    return OK;
}

static const struct parameter parameters[] = {
    {"low", REAL, 0, -(double)FLT_MAX, (double)FLT_MAX, "lower end"},
    {"high", REAL, 1, -(double)FLT_MAX, (double)FLT_MAX, "upper end"},
    {0},
};

const struct generator generator_uniform = {
    .id = "uniform",
    .summary = "numbers from an interval, all alike",
    .formula = "x_i = low (1 - t) + high t, t uniform in [0, 1)",
    .source = "folklore",
    .hurts = "plain/serial, slowly",
    .spares = "trees, everything compensated",
    .parameters = parameters,
    .random = true,
    .fill = fill,
};
