/* subnormal: numbers below the normal range.
 *
 *   x_i = k 2^-149,  k random in -most .. most, all alike
 *
 * most = 1000  from 1 to 2^23 - 1
 *
 * Sums of multiples of 2^-149 do not round before 2^-125, so that every order is exact while n most <= 2^24.
 *
 * Source: atom.add.f32 on global memory flushes subnormals, NVIDIA's PTX manual (recalled); any kernel built with
 * -ftz=true.
 * Hurts: flush-to-zero and denormals-are-zero, which give 0.  Spares: every method in IEEE arithmetic, whose result
 * must be the exact sum.
 */
#include "../../src/fp.h"
#include "../generator.h"

/* By its bits, so that a process in flush-to-zero mode makes the same data. */
static float multiple(int64_t k)
{
    return float_from_bits(k < 0 ? 0x80000000u | (uint32_t)-k : (uint32_t)k);
}

static enum status fill(const struct generator_call *call, float *x)
{
    const int64_t most = (int64_t)call->values[0];
    for (uint64_t i = 0; i < call->n; i++) {
        const uint64_t random = random_half(random_bits(call, i, 0), 0);
        x[i] = multiple((int64_t)random_below(random, (uint64_t)(2 * most + 1)) - most);
    }
    return OK;
}

static const struct parameter parameters[] = {
    {"most", WHOLE, 1000, 1, 0x1p23 - 1, "largest absolute value, in units of 2^-149"},
    {0},
};

const struct generator generator_subnormal = {
    .id = "subnormal",
    .summary = "numbers below the normal range",
    .formula = "x_i = k 2^-149, k in -most .. most",
    .source = "NVIDIA's PTX manual on atom.add.f32 (recalled)",
    .hurts = "flush-to-zero",
    .spares = "every method in IEEE arithmetic, while n most <= 2^24",
    .parameters = parameters,
    .random = true,
    .fill = fill,
};
