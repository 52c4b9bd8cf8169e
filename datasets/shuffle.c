/* Fisher & Yates, from the end. */
#include "shuffle.h"

#include "random.h"

enum { BATCH = 32 };

static void swap_floats(float *x, uint64_t i, uint64_t j)
{
    const float x_i = x[i];
    x[i] = x[j];
    x[j] = x_i;
}

static void swap_doubles(double *x, uint64_t i, uint64_t j)
{
    const double x_i = x[i];
    x[i] = x[j];
    x[j] = x_i;
}

/* The places of a batch are worked out, and called into the cache, before the first swap of the batch waits for its
 * own: two thirds of the time at n = 2^20. */
void shuffle(const struct generator_call *call, uint32_t draw, void *x)
{
    const bool wide = format_held(&call->format)->bytes == sizeof(double);
    float *floats = x;
    double *doubles = x;
    uint64_t j[BATCH];
    for (uint64_t i = call->n; i > 1;) {
        const uint64_t count = i - 1 < BATCH ? i - 1 : BATCH;
        for (uint64_t k = 0; k < count; k++) {
            j[k] = random_below(random_half(random_bits(call, i - 1 - k, draw), 0), i - k);
            __builtin_prefetch(wide ? (void *)(doubles + j[k]) : (void *)(floats + j[k]), 1);
        }
        for (uint64_t k = 0; k < count; k++) {
            i--;
            if (wide)
                swap_doubles(doubles, i, j[k]);
            else
                swap_floats(floats, i, j[k]);
        }
    }
}
