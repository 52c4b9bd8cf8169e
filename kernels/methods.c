/* The host half of every method of one accumulator: compiled once per accumulator with -DACC=<id>.
 * The build names the accumulator's file and generates orders.inc, which includes every order's. */
#include "portable.h"

#include "bound.h"

#include ACCUMULATOR_FILE

#include "order.h"

#include "generated/orders.inc"

#include <stdlib.h>

#define TEXT_(word) #word
#define TEXT(word) TEXT_(word)

typedef STATE replay_function(const real *x, uint64_t n, struct launch launch, struct replay_memory memory);

static enum status replay_with(replay_function *replay, size_t sums, const void *x, uint64_t n, struct launch launch,
                               void *result)
{
    STATE *states = malloc((launch.threads + sums) * sizeof *states);
    if (!states)
        return out_of_memory("the partial sums of a replay");
    const struct replay_memory memory = {.shared = states, .sums = states + launch.threads};
    *(real *)result = A(round)(replay(x, n, launch, memory));
    free(states);
    return OK;
}

/* Adds what atomicAdd may lose beside its rounding. */
static double with_atomic_loss(double bound, enum determinism determinism, struct launch launch)
{
#if A(HAS_ATOMIC)
    const double loss = determinism == ORDER_OF_ARRIVAL ? launch.blocks * A(ATOMIC_LOSS) : 0;
    return loss > 0 ? round_up(bound + loss) : bound;
#else
    (void)determinism, (void)launch;
    return bound;
#endif
}

#define ORDER(order, determinism, claim)                                                                               \
    static enum status replay_##order(const void *x, uint64_t n, struct launch launch, void *result)                   \
    {                                                                                                                  \
        return replay_with(order##_replay, order##_sums(launch), x, n, launch, result);                                \
    }                                                                                                                  \
    static double bound_##order(uint64_t n, struct launch launch, double abs_s, double sum_abs)                        \
    {                                                                                                                  \
        const double height = (double)order##_height(n, launch);                                                       \
        return with_atomic_loss(A(bound)((double)n, height, abs_s, sum_abs), determinism, launch);                     \
    }
#include "orders.def"
#undef ORDER

#if defined(ULPSCOPE_CUDA) && !defined(ACCUMULATOR_HOST_ONLY)
#define DEVICE_HALF(order) &EXPORTED(order##_on_device)
#define ORDER(order, determinism, claim) extern const struct device_method EXPORTED(order##_on_device);
#include "orders.def"
#undef ORDER
#else
#define DEVICE_HALF(order) NULL
#endif

extern const struct method EXPORTED(methods)[];
const struct method EXPORTED(methods)[] = {
#define ORDER(order_id, determinism_, claim)                                                                           \
    {                                                                                                                  \
        .id = TEXT(ACC) "/" #order_id,                                                                                 \
        .accumulator = TEXT(ACC),                                                                                      \
        .order = #order_id,                                                                                            \
        .format = TEXT(FORMAT),                                                                                        \
        .operation = TEXT(OPERATION),                                                                                  \
        .order_claim = claim,                                                                                          \
        .determinism = determinism_,                                                                                   \
        .can_do = order_id##_can_do,                                                                                   \
        .height = order_id##_height,                                                                                   \
        .bound = bound_##order_id,                                                                                     \
        .replay = replay_##order_id,                                                                                   \
        .device = DEVICE_HALF(order_id),                                                                               \
    },
#include "orders.def"
#undef ORDER
};
