/* The host half of every method of one accumulator: compiled once per accumulator with -DACC=<id>, and once per broken
 * one (broken.def) with -DVARIANT=<id> beside that.
 * The build names the accumulator's file and generates orders.inc, which includes every order's. */
#include "portable.h"

#include "bound.h"

#include ACCUMULATOR_FILE

#include "order.h"

#include "generated/orders.inc"

#include <stdlib.h>

/* Below this a thread costs more than it saves: starting one takes as long as some 10,000 additions. */
enum { PARALLEL_FROM = 1 << 17 };

typedef STATE replay_function(const struct replay_call *call);

static enum status replay_with(replay_function *replay, size_t sums, struct replay_call call, void *result)
{
#ifdef ACCUMULATOR_HOST_ONLY
    call.workers = 1; /* a tape belongs to a thread */
#endif
    if (call.workers < 1 || call.n < PARALLEL_FROM)
        call.workers = 1;
    STATE *states = malloc((sums + (size_t)call.workers * REPLAY_STATES) * sizeof *states);
    if (!states)
        return out_of_memory("the partial sums of a replay");
    call.partial = states;
    call.sums = states + (size_t)call.workers * REPLAY_STATES;
    *(real *)result = A(round)(replay(&call));
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

static double probable(const struct claim *claim)
{
#if A(HAS_MODEL)
    return A(probable_bound)(claim);
#else
    (void)claim;
    return NAN;
#endif
}

/* What no order can change, no order of arrival can. */
#if A(ANY_ORDER)
#define DETERMINISM(of_order) DETERMINISTIC
#else
#define DETERMINISM(of_order) of_order
#endif

#ifndef TRAITS
#define TRAITS .advantage = "the compensation", .uncompensated = "plain"
#endif
static const struct accumulator_traits traits = {TRAITS};

#define ORDER(order, determinism, slow_above, rows, text)                                                              \
    static enum status replay_##order(const void *x, uint64_t n, struct launch launch, unsigned workers, void *result) \
    {                                                                                                                  \
        const struct replay_call call = {.x = x, .n = n, .launch = launch, .workers = workers};                        \
        return replay_with(order##_replay, order##_sums(n, launch), call, result);                                     \
    }                                                                                                                  \
    static struct claim claim_##order(uint64_t n, struct launch launch, const struct magnitudes *of)                   \
    {                                                                                                                  \
        const double height = (double)order##_height(n, launch);                                                       \
        return (struct claim){(double)n, height, of->abs_s, of->sum_abs, of->max_abs};                                 \
    }                                                                                                                  \
    static double bound_##order(uint64_t n, struct launch launch, const struct magnitudes *of)                         \
    {                                                                                                                  \
        const struct claim claim = claim_##order(n, launch, of);                                                       \
        return with_atomic_loss(A(bound)(&claim), determinism, launch);                                                \
    }                                                                                                                  \
    static double probable_bound_##order(uint64_t n, struct launch launch, const struct magnitudes *of)                \
    {                                                                                                                  \
        const struct claim claim = claim_##order(n, launch, of);                                                       \
        return probable(&claim);                                                                                       \
    }
#include "orders.def"

#if defined(ULPSCOPE_CUDA) && !defined(ACCUMULATOR_HOST_ONLY) && !defined(VARIANT)
#define DEVICE_HALF(order) &EXPORTED(order##_on_device)
#define ORDER(order, determinism, slow_above, rows, claim)                                                             \
    extern const struct device_method EXPORTED(order##_on_device);
#include "orders.def"
#else
#define DEVICE_HALF(order) NULL
#endif

extern const struct method EXPORTED(methods)[];
const struct method EXPORTED(methods)[] = {
#define ORDER(order_id, determinism_, slow_above_, rows, claim)                                                        \
    {                                                                                                                  \
        .id = TEXT(METHODS_NAME) "/" #order_id,                                                                        \
        .accumulator = TEXT(ACC),                                                                                      \
        .order = #order_id,                                                                                            \
        .format = TEXT(FORMAT),                                                                                        \
        .operation = TEXT(OPERATION),                                                                                  \
        .order_claim = claim,                                                                                          \
        .accumulator_traits = &traits,                                                                                 \
        .order_traits = &order_id##_traits,                                                                            \
        .determinism = DETERMINISM(determinism_),                                                                      \
        .slow_above = slow_above_,                                                                                     \
        .can_do = order_id##_can_do,                                                                                   \
        .height = order_id##_height,                                                                                   \
        .bound = bound_##order_id,                                                                                     \
        .probable_bound = probable_bound_##order_id,                                                                   \
        .replay = replay_##order_id,                                                                                   \
        .device = DEVICE_HALF(order_id),                                                                               \
    },
#include "orders.def"
};
