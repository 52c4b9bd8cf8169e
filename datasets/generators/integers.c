/* integers: whole numbers, small enough that no order of adding them rounds.
 *
 *   x_i = k,  k random in -most .. most, all alike
 *
 * most = 8     from 1 to 2^24
 *
 * Every partial sum of every order is a whole number of at most n most: exact in binary32 while n most <= 2^24, that is
 * up to n = 2Mi for the default.
 *
 * Source: folklore.
 * Hurts: an indexing error, which can no longer pass for rounding: an element left out or taken twice changes the bits.
 * Spares: every method, whose result must be the exact sum.
 */
#include "../generator.h"

static enum status fill(const struct generator_call *call, float *x)
{
    const int64_t most = (int64_t)call->values[0];
    for (uint64_t i = 0; i < call->n; i++) {
        const uint64_t random = random_half(random_bits(call, i, 0), 0);
        x[i] = (float)((int64_t)random_below(random, (uint64_t)(2 * most + 1)) - most);
    }
    return OK;
}

static const struct parameter parameters[] = {
    {"most", WHOLE, 8, 1, 0x1p24, "largest absolute value"},
    {0},
};

const struct generator generator_integers = {
    .id = "integers",
    .summary = "small whole numbers: no order rounds",
    .formula = "x_i = k, k in -most .. most",
    .source = "folklore",
    .hurts = "indexing errors",
    .spares = "every method, while n most <= 2^24",
    .parameters = parameters,
    .random = true,
    .fill = fill,
};
