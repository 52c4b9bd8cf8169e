/* The host half of every method of one accumulator: compiled once per accumulator with -DACC=<id>, and once per broken
 * one (broken.def) with -DVARIANT=<id> beside that.
 * The build names the accumulator's file and generates orders.inc, which includes every order's. */
#include "portable.h"

#include "bound.h"
#include "compiled.h"
#include "src/base/format.h"

#ifndef ABSENT
#include ACCUMULATOR_FILE
#endif
#ifndef ABSENT
#include "terms.h"
#endif

extern const struct compiled EXPORTED(compiled);
#ifdef ABSENT
const struct compiled EXPORTED(compiled) = {NULL, ABSENT, NULL};
#else

#include "order.h"

#include "generated/orders.inc"

#include <assert.h>
#include <stdlib.h>

/* Below this a thread costs more than it saves: starting one takes as long as some 10,000 additions. */
enum { PARALLEL_FROM = 1 << 17 };

/* What an order file has of an order. */
struct order {
    bool (*can_do)(struct thread_grid grid, char why[REASON_SIZE]);
    uint64_t (*height)(uint64_t n, struct thread_grid grid);
    size_t (*sums)(uint64_t n, struct thread_grid grid);
    STATE (*replay)(const struct replay_call *call);
    enum determinism determinism; /* before the accumulator has its say */
};

static const struct order *order_of(const struct method *self)
{
    return self->own;
}

static bool is_root(const struct method *self)
{
    return operation_table[self->operation].of == ROOT_OF_SQUARES;
}

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    return order_of(self)->can_do(method_grid(self, launch), why);
}

/* ---- the sum ---- */

/* What makes terms of elements of two vectors, of which the second is the first where there is one; and what says how
 * far terms are from what they stand for. */
struct terms {
    void (*make)(const real *x, const real *y, uint64_t n, term *terms);
    double (*claim)(struct claim *of);
};

#ifdef IS_sum
#define TERMS_OWN(id)
#define TERMS_NUMBERS(id)                                                                                              \
    static void id##_terms(const real *x, const real *y, uint64_t n, term *terms)                                      \
    {                                                                                                                  \
        for (uint64_t i = 0; i < n; i++)                                                                               \
            terms[i] = id##_term(x[i], y[i]);                                                                          \
    }
#define OPERATION(id, vectors, terms, of, claim) TERMS_##terms(id)
#include "operations.def"

#undef TERMS_NUMBERS
#define TERMS_NUMBERS(id) [OPERATION_##id] = {id##_terms, id##_claim},
static const struct terms terms_table[OPERATIONS] = {
#define OPERATION(id, vectors, terms, of, claim) TERMS_##terms(id)
#include "operations.def"
};
#define TERMS_OF(operation) (&terms_table[operation])
#else
static void pair_up(const real *x, const real *y, uint64_t n, term *terms)
{
    for (uint64_t i = 0; i < n; i++)
        terms[i] = (term){x[i], y[i]};
}

static const struct terms own_terms = {pair_up, PASTE(OPERATION_ID, claim)};
#define TERMS_OF(operation) (&own_terms)
#endif

enum { PIECE = 512 };

/* count <= PIECE elements as what is added: where they are, or in `room`. */
static const real *as_reals(const struct format *format, const void *x, uint64_t first, uint64_t count, real *room)
{
    if (format_held(format)->bytes == sizeof(real))
        return (const real *)x + first;
    for (uint64_t i = 0; i < count; i++)
        room[i] = (real)held_number(format, x, first + i);
    return room;
}

/* The terms: the numbers as they are, or an array of its own, which is *own. */
static enum status make_terms(const struct operands *of, const term **terms, term **own)
{
    const uint64_t n = of->shape.rows * of->shape.terms;
    const void *x = of->arrays[0], *y = operation_table[of->operation].vectors > 1 ? of->arrays[1] : x;
    real x_room[PIECE], y_room[PIECE];
    *own = NULL;
    *terms = x;
    if (of->operation == OPERATION_sum && format_held(of->format)->bytes == sizeof(real))
        return OK;
    *own = malloc((n + 1) * sizeof **own);
    if (!*own)
        return out_of_memory("the terms of a replay");
    for (uint64_t first = 0; first < n; first += PIECE) {
        const uint64_t count = at_most(PIECE, n - first);
        TERMS_OF(of->operation)
            ->make(as_reals(of->format, x, first, count, x_room), as_reals(of->format, y, first, count, y_room), count,
                   *own + first);
    }
    *terms = *own;
    return OK;
}

/* The one rounding at the end.  Where a state has more bits than binary64, A(result) has set the last one if anything
 * is below it (rounded to odd), so that it is not rounded twice. */
static uint64_t result_bits(const struct method *self, STATE state)
{
    const double sum = A(result)(state), result = is_root(self) ? sqrt(sum) : sum;
    return self->format->bytes == sizeof(float) ? float_bits((float)result)
                                                : format_bits(self->format, rounded_to(result, self->format));
}

static enum status replay(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits)
{
    const struct order *order = order_of(self);
    assert(of->operation == self->operation); /* terms of its own are no numbers */
    struct replay_call call = {.n = of->shape.terms, .grid = method_grid(self, launch), .workers = workers};
    const size_t sums = order->sums(call.n, call.grid);
    const term *terms;
    term *own;
#ifdef ACCUMULATOR_HOST_ONLY
    call.workers = 1; /* a tape belongs to a thread */
#endif
    if (call.workers < 1 || call.n < PARALLEL_FROM)
        call.workers = 1;
    const size_t of_workers = call.workers * replay_states(call.grid);
    TRY(make_terms(of, &terms, &own));
    STATE *states = malloc((sums + of_workers) * sizeof *states);
    if (!states) {
        free(own);
        return out_of_memory("the partial sums of a replay");
    }
    call.partial = states;
    call.sums = states + of_workers;
    for (uint64_t row = 0; row < of->shape.rows; row++) {
        call.x = terms + row * call.n;
        bits[row] = result_bits(self, order->replay(&call));
    }
    free(states);
    free(own);
    return OK;
}

/* ---- what is promised of it ---- */

static uint64_t height(const struct method *self, struct shape shape, struct launch launch)
{
    return order_of(self)->height(shape.terms, method_grid(self, launch));
}

static struct claim claim_of(const struct method *self, struct shape shape, struct launch launch,
                             const struct magnitudes *of)
{
    return (struct claim){(double)shape.terms, (double)height(self, shape, launch), of->abs_s, of->sum_abs,
                          of->max_abs,         ldexp(1, -self->format->precision)};
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

/* Adds the rounding to the result's format, where that is narrower than what was added; what is then out of range is
 * infinite.  Subnormal sums are exact but for what `bound` says: all is a multiple of the data's last place; products
 * are not. */
static double with_result_rounding(double bound, const struct method *self, const struct magnitudes *of)
{
    const int precision = self->format->precision;
    if (precision >= REAL_PRECISION)
        return bound;
    const double u = ldexp(1, -precision), largest = ldexp(2 - 2 * u, self->format->overflow_exponent - 1);
    if (self->operation != OPERATION_sum && bound > 0)
        bound = round_up(bound + ldexp(1, self->format->least_exponent - 1));
#if !A(ROUNDED_ONCE)
    bound = round_up(bound + bound_one_rounding(u) * (of->abs_s + bound));
#endif
    return round_up(of->abs_s + bound) <= largest ? round_up(bound) : (double)INFINITY;
}

/* What A(result) is from the sum of what the terms stand for; with a last rounding where that is the claim's. */
static double bound_of_sum(const struct method *self, struct launch launch, struct claim claim)
{
    const double of_terms = TERMS_OF(self->operation)->claim(&claim);
    const double of_terms_added = with_atomic_loss(A(bound)(&claim), order_of(self)->determinism, launch);
    return of_terms > 0 ? round_up(of_terms_added + of_terms) : of_terms_added;
}

/* Of a root: that of the sum of squares, whose result has no other rounding, and the roundings of the root. */
static double bound_of_norm(const struct method *self, struct launch launch, struct claim claim, double norm)
{
    const double u = ldexp(1, -self->format->precision);
    const double largest = ldexp(2 - 2 * u, self->format->overflow_exponent - 1);
    claim.abs_s = claim.sum_abs = bound_square(norm);
    claim.result_u = STATE_U;
    const double of_root = bound_root(norm, bound_of_sum(self, launch, claim));
    const double rounding = bound_compound(bound_one_rounding(0x1p-53), bound_one_rounding(u));
    const double bound = round_up(of_root + rounding * (norm + of_root) + ldexp(1, self->format->least_exponent - 1));
    return norm == 0 ? 0 : round_up(norm + bound) <= largest ? bound : (double)INFINITY;
}

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const struct claim claim = claim_of(self, shape, launch, of);
    if (is_root(self))
        return bound_of_norm(self, launch, claim, of->abs_s);
    if (self->operation == OPERATION_sum && shape.terms <= 1) { /* is the number itself, where it is one */
        const struct claim of_zero = claim_of(self, shape, launch, &(struct magnitudes){0, 0, 0});
        return of->sum_abs < INFINITY ? bound_of_sum(self, launch, of_zero) : (double)INFINITY;
    }
    return with_result_rounding(bound_of_sum(self, launch, claim), self, of);
}

static double probabilistic_bound(const struct method *self, struct shape shape, struct launch launch,
                                  const struct magnitudes *of)
{
#if A(HAS_MODEL)
    const struct claim claim = claim_of(self, shape, launch, of);
    if (self->operation == OPERATION_sum)
        return with_result_rounding(A(probabilistic_bound)(&claim), self, of);
#endif
    (void)self, (void)shape, (void)launch, (void)of;
    return NAN;
}

/* ---- the methods ---- */

#ifndef OTHERS_ABSENT
#define OTHERS_ABSENT NULL
#endif

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

static const struct order orders[] = {
#define ORDER(id, determinism, slow_above, rows, claim) {id##_can_do, id##_height, id##_sums, id##_replay, determinism},
#include "orders.def"
};

#if defined(ULPSCOPE_CUDA) && !defined(ACCUMULATOR_HOST_ONLY) && !defined(VARIANT)
#define DECLARE_ONE_SUM(order) extern const struct device_method ON_DEVICE(order);
#define DECLARE_ROWS(order) DECLARE_ONE_SUM(order)
#define DECLARE_ON_HOST(order)
#define ORDER(order, determinism, slow_above, rows, claim) DECLARE_##rows(order)
#include "orders.def"
#define DEVICE_ONE_SUM(order) &ON_DEVICE(order)
#define DEVICE_ROWS(order) &ON_DEVICE(order)
#else
#define DEVICE_ONE_SUM(order) NULL
#define DEVICE_ROWS(order) NULL
#endif
#define DEVICE_ON_HOST(order) NULL

static const struct method methods[] = {
#define ORDER(order_id, determinism_, slow_above_, rows, claim)                                                        \
    {                                                                                                                  \
        .id = TEXT(METHODS_NAME) "/" #order_id,                                                                        \
        .accumulator = TEXT(ACC),                                                                                      \
        .order = #order_id,                                                                                            \
        .sum_format = &PASTE(sum_format, FORMAT),                                                                      \
        .format = &REAL_FORMAT,                                                                                        \
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
        .device = DEVICE_##rows(order_id),                                                                             \
    },
#include "orders.def"
};

const struct compiled EXPORTED(compiled) = {methods, NULL, OTHERS_ABSENT};
#endif
