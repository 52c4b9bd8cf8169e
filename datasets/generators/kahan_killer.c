/* kahan_killer: a correction that is kept cannot hold two sizes at once.
 *
 *   1, B, 1, -B, 1, B, 1, -B, ...  cut off at n
 *
 * big = 2^60   B, from 2^25 to 2^96; rounded to binary32.  (Above 2^96 an order that meets the B first could overflow.)
 *
 * Kahan loses the first 1 when B arrives, because its correction is exact only for |s| >= |y|; it keeps the second as a
 * correction, which joins the next term, -B, and is rounded away there: 0 for every quadruple, where Neumaier has 2.
 *
 * Source: CPython's test of math.fsum and sum, [1, 1e100, 1, -1e100] (recalled).
 * Hurts: Kahan, plain; binary64 from B = 2^53.  Spares: Neumaier.
 * Exact: 2k for n = 4k; 2k + 1, 2k + 1 + B, 2k + 2 + B for 1, 2, 3 more.  Condition: 1 + B for n = 4k.
 */
#include "../generator.h"

static enum status fill(const struct generator_call *call, float *x)
{
    const float big = (float)call->values[0];
    const float pattern[] = {1, big, 1, -big};
    for (uint64_t i = 0; i < call->n; i++)
        x[i] = pattern[i % 4];
    return OK;
}

static const struct parameter parameters[] = {
    {"big", REAL, 0x1p60, 0x1p25, 0x1p96, "B"},
    {0},
};

const struct generator generator_kahan_killer = {
    .id = "kahan_killer",
    .summary = "1, B, 1, -B again and again",
    .formula = "x = 1, B, 1, -B, 1, B, ...",
    .source = "CPython's test of math.fsum (recalled)",
    .hurts = "kahan, plain; binary64 from B = 2^53",
    .spares = "neumaier",
    .parameters = parameters,
    .fill = fill,
};
