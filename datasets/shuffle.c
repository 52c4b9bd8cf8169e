/* Fisher & Yates, from the end. */
#include "shuffle.h"

#include "random.h"

/* The places of a batch are worked out, and called into the cache, before the first swap of the batch waits for its
 * own: two thirds of the time at n = 2^20. */
void shuffle(const struct generator_call *call, uint32_t draw, float *x)
{
    enum { BATCH = 32 };
    uint64_t j[BATCH];
    for (uint64_t i = call->n; i > 1;) {
        const uint64_t count = i - 1 < BATCH ? i - 1 : BATCH;
        for (uint64_t k = 0; k < count; k++) {
            j[k] = random_below(random_half(random_bits(call, i - 1 - k, draw), 0), i - k);
            __builtin_prefetch(x + j[k], 1);
        }
        for (uint64_t k = 0; k < count; k++) {
            i--;
            const float x_i = x[i];
            x[i] = x[j[k]];
            x[j[k]] = x_i;
        }
    }
}
