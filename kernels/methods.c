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

/* What an order file has of an order. */
struct order {
    bool (*can_do)(struct launch launch, char why[REASON_SIZE]);
    uint64_t (*height)(uint64_t n, struct launch launch);
    size_t (*sums)(uint64_t n, struct launch launch);
    STATE (*replay)(const struct replay_call *call);
    enum determinism determinism; /* before the accumulator has its say */
};

static const struct order *order_of(const struct method *self)
{
    return self->own;
}

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    return order_of(self)->can_do(launch, why);
}

/* ---- the sum ---- */

static enum status replay(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits)
{
    const struct order *order = order_of(self);
    struct replay_call call = {.n = of->shape.terms, .launch = launch, .workers = workers};
    const size_t sums = order->sums(call.n, launch);
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
    for (uint64_t row = 0; row < of->shape.rows; row++) {
        call.x = (const real *)of->arrays[0] + row * call.n;
        bits[row] = real_bits(rounded_result(order->replay(&call)));
    }
    free(states);
    return OK;
}

/* ---- what is promised of it ---- */

static uint64_t height(const struct method *self, struct shape shape, struct launch launch)
{
    return order_of(self)->height(shape.terms, launch);
}

static struct claim claim_of(const struct method *self, struct shape shape, struct launch launch,
                             const struct magnitudes *of)
{
    return (struct claim){(double)shape.terms, (double)height(self, shape, launch), of->abs_s, of->sum_abs,
                          of->max_abs};
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

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const struct claim claim = claim_of(self, shape, launch, of);
    return with_atomic_loss(A(bound)(&claim), order_of(self)->determinism, launch);
}

static double probabilistic_bound(const struct method *self, struct shape shape, struct launch launch,
                                  const struct magnitudes *of)
{
    const struct claim claim = claim_of(self, shape, launch, of);
#if A(HAS_MODEL)
    return A(probabilistic_bound)(&claim);
#else
    (void)claim;
    return NAN;
#endif
}

/* ---- the methods ---- */

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

enum {
#define ORDER(id, determinism, slow_above, rows, claim) ORDER_##id,
#include "orders.def"
};

static const struct order orders[] = {
#define ORDER(id, determinism, slow_above, rows, claim) {id##_can_do, id##_height, id##_sums, id##_replay, determinism},
#include "orders.def"
};

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
        .format = &REAL_FORMAT,                                                                                        \
        .operation = THE_OPERATION,                                                                                    \
        .order_claim = claim,                                                                                          \
        .accumulator_traits = &traits,                                                                                 \
        .order_traits = &order_id##_traits,                                                                            \
        .determinism = DETERMINISM(determinism_),                                                                      \
        .slow_above = slow_above_,                                                                                     \
        .can_do = can_do,                                                                                              \
        .height = height,                                                                                              \
        .bound = bound,                                                                                                \
        .probabilistic_bound = probabilistic_bound,                                                                    \
        .replay = replay,                                                                                              \
        .own = &orders[ORDER_##order_id],                                                                              \
        .device = DEVICE_HALF(order_id),                                                                               \
    },
#include "orders.def"
};
