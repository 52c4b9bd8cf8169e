/* subnormal: numbers below the normal range.
 *
 * Sums of multiples of 2^-149 do not round before 2^-125, so that every order is exact while n most <= 2^24.  The
 * numbers are made from their bits, so that a process in flush-to-zero mode makes the same data.
 */
#include "datasets/random.h"

#define FAMILY subnormal

PORTABLE float subnormal_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    (void)i;
    const int64_t most = (int64_t)call->values[0];
    const int64_t k = (int64_t)random_below(random, (uint64_t)(2 * most + 1)) - most;
    const uint32_t sign = (uint32_t)((uint64_t)k >> 63), magnitude = ((uint32_t)k ^ (0 - sign)) + sign; /* no branch */
    return float_from_bits(sign << 31 | magnitude);
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static const struct parameter parameters[] = {
    {"most", WHOLE, 1000, 1, 0x1p23 - 1, "largest absolute value, in units of 2^-149", NULL},
    {0},
};

static const struct effect effects[] = {
    {"n=4Ki..1Mi*256", "*", AT_MOST, 0},
    {0},
};

const struct generator generator_subnormal = {
    .id = "subnormal",
    .summary = "numbers below the normal range",
    .formula = "x_i = k 2^-149, k in -most .. most",
    .source = "NVIDIA's PTX manual: atom.add.f32 on global memory flushes subnormals; -ftz=true",
    .effects = effects,
    .exact = "a multiple of 2^-149",
    .showcase = {"subnormal:n=4096"},
    .parameters = parameters,
    .random = true,
    .elements = subnormal_elements,
};
#endif
