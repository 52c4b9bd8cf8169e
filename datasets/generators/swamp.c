/* swamp: a big number first, ones after it.
 *
 *   x_0 = big,  x_i = 1
 *
 * big = 2^24   from 1 to 2^127; rounded to binary32
 *
 * From 2^24 on, big + 1 is a tie that goes back to the even big: left to right, every one is lost.
 *
 * Source: "swamping" of FPRev (recalled); in the textbooks since Wilkinson.
 * Hurts: plain serial: error n - 1.  Spares: a tree, which adds most ones to each other; everything compensated, and
 * binary64 below 2^53.
 * Exact: big + n - 1.  Condition: 1.
 */
#include "../generator.h"

static enum status fill(const struct generator_call *call, float *x)
{
    for (uint64_t i = 0; i < call->n; i++)
        x[i] = i == 0 ? (float)call->values[0] : 1.0f;
    return OK;
}

static const struct parameter parameters[] = {
    {"big", REAL, 0x1p24, 1, 0x1p127, "the first number"},
    {0},
};

const struct generator generator_swamp = {
    .id = "swamp",
    .summary = "a big number first, ones after it",
    .formula = "x_0 = big, x_i = 1",
    .source = "FPRev (recalled)",
    .hurts = "plain/serial: every one is lost",
    .spares = "trees, everything compensated",
    .parameters = parameters,
    .fill = fill,
};
