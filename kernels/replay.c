/* The host half of every method: an order, compiled once, over the verbs of an accumulator.  The build generates
 * orders.inc, which includes every order's file. */
#include "replay.h"

#include "claim.h"
#include "src/base/format.h"

#include "order.h"

#include "generated/orders.inc"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

/* Below this a thread costs more than it saves: starting one takes as long as some 10,000 additions. */
enum { PARALLEL_FROM = 1 << 17 };

/* What an order file has of an order. */
struct order {
    const char *id, *claim;
    const struct order_traits *traits;
    bool (*can_do)(const struct verbs *verbs, struct thread_grid grid, char why[REASON_SIZE]);
    uint64_t (*height)(uint64_t n, struct thread_grid grid);
    uint64_t (*sums)(uint64_t n, struct thread_grid grid);
    const void *(*replay)(const struct replay_call *call);
    uint64_t slow_above;
    enum determinism determinism; /* before the accumulator has its say */
};

static const struct order orders[] = {
#define ORDER(id, determinism, slow_above, rows, claim)                                                                \
    {#id, claim, &id##_traits, id##_can_do, id##_height, id##_sums, id##_replay, slow_above, determinism},
#include "orders.def"
};

static const struct order *order_of(const struct method *self)
{
    return ((const struct cell *)self->own)->order;
}

static const struct verbs *verbs_of(const struct method *self)
{
    return ((const struct cell *)self->own)->verbs;
}

static bool is_root(const struct method *self)
{
    return operation_table[self->operation].of == ROOT_OF_SQUARES;
}

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    return order_of(self)->can_do(verbs_of(self), method_grid(self, launch), why);
}

static const struct order *order_find(const char *id, char why[REASON_SIZE])
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i].id, id) == 0)
            return &orders[i];
    snprintf(why, REASON_SIZE, "there is no such order");
    return NULL;
}

bool order_can_do(const char *order, size_t state_bytes, struct thread_grid grid, char why[REASON_SIZE])
{
    const struct verbs verbs = {.state_bytes = state_bytes};
    const struct order *of = order_find(order, why);
    return of && of->can_do(&verbs, grid, why);
}

static uint32_t atomics(const struct order *order, uint32_t blocks)
{
    return order->determinism == ORDER_OF_ARRIVAL ? blocks : 0;
}

bool order_tree(const char *order, uint64_t n, struct thread_grid grid, struct plain_tree *tree, char why[REASON_SIZE])
{
    const struct verbs of_a_number = {.state_bytes = sizeof(double), .has_atomic = true};
    const struct order *of = order_find(order, why);
    const bool can = of && of->can_do(&of_a_number, grid, why);
    *tree = can ? (struct plain_tree){of->height(n, grid), atomics(of, grid.blocks)} : (struct plain_tree){0};
    return can;
}

/* ---- the sum ---- */

/* The one rounding at the end.  Where a state has more bits than binary64, its result has the last one set if anything
 * is below it (rounded to odd), so that it is not rounded twice. */
static uint64_t result_bits(const struct method *self, const void *state)
{
    const double sum = verbs_of(self)->result(state), result = is_root(self) ? sqrt(sum) : sum;
    return self->format->bytes == sizeof(float) ? float_bits((float)result)
                                                : format_bits(self->format, rounded_to(result, self->format));
}

/* Whether terms are the numbers as they are kept. */
static bool are_numbers(const struct operands *of, const struct verbs *verbs)
{
    return of->operation == OPERATION_sum && format_held(of->format)->bytes == format_held(verbs->added)->bytes;
}

static enum status replay(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits)
{
    const struct order *order = order_of(self);
    const struct verbs *verbs = verbs_of(self);
    const uint64_t n = of->shape.terms;
    struct replay_call call = {.verbs = verbs, .n = n, .grid = method_grid(self, launch), .workers = workers};
    assert(of->operation == self->operation); /* terms of its own are no numbers */
    if (workers < 1 || n < PARALLEL_FROM || verbs->is_recorded)
        call.workers = 1;
    const uint64_t sums = order->sums(n, call.grid), of_workers = (uint64_t)call.workers * replay_states(call.grid);
    OWNED void *own = are_numbers(of, verbs) ? NULL : malloc((of->shape.rows * n + 1) * verbs->term_bytes);
    OWNED void *states = malloc((sums + of_workers) * verbs->state_bytes);
    if (!states || (!own && !are_numbers(of, verbs)))
        return out_of_memory(states ? "the terms of a replay" : "the partial sums of a replay");
    if (own)
        verbs->make_terms(of, own);
    call.partial = states;
    call.sums = state_at(verbs, states, of_workers);
    for (uint64_t row = 0; row < of->shape.rows; row++) {
        call.x = (const char *)(own ? own : of->arrays[0]) + row * n * verbs->term_bytes;
        bits[row] = result_bits(self, order->replay(&call));
    }
    return OK;
}

/* ---- what is promised of it ---- */

static uint64_t height(const struct method *self, struct shape shape, struct launch launch)
{
    return order_of(self)->height(shape.terms, method_grid(self, launch));
}

static struct claim claim_of(const struct method *self, struct shape shape, uint64_t high, const struct magnitudes *of)
{
    return (struct claim){(double)shape.terms, (double)high, of->abs_s,
                          of->sum_abs,         of->max_abs,  ldexp(1, -self->format->precision)};
}

/* Adds what atomicAdd may lose beside its rounding. */
static double with_atomic_loss(double bound, const struct method *self, uint32_t merged)
{
    const double loss = merged * verbs_of(self)->atomic_loss;
    return loss > 0 ? round_up(bound + loss) : bound;
}

static double with_result_rounding(double bound, const struct method *self, const struct magnitudes *of)
{
    const int last_place = self->operation == OPERATION_sum ? self->sum_format->stored->least_exponent : INT_MIN;
    return bound_of_result(
        bound, of->abs_s,
        (struct to_result){verbs_of(self)->added, self->format, last_place, verbs_of(self)->rounded_once, false});
}

/* What a state's result is from the sum of what the terms stand for; with a last rounding where that is the claim's. */
static double bound_of_sum(const struct method *self, uint32_t merged, struct claim claim)
{
    const double of_terms = verbs_of(self)->terms_claim(self->operation, &claim);
    const double of_terms_added = with_atomic_loss(verbs_of(self)->bound(&claim), self, merged);
    return of_terms > 0 ? round_up(of_terms_added + of_terms) : of_terms_added;
}

/* Of a root: that of the sum of squares, whose result has no other rounding, and the roundings of the root; of integers
 * nothing is claimed. */
static double bound_of_norm(const struct method *self, uint32_t merged, struct claim claim, double norm)
{
    const double u = ldexp(1, -self->format->precision);
    claim.abs_s = claim.sum_abs = bound_square(norm);
    claim.result_u = STATE_U;
    const double of_root = bound_root(norm, bound_of_sum(self, merged, claim));
    const double rounding = bound_compound(bound_one_rounding(0x1p-53), bound_one_rounding(u));
    const double bound = round_up(of_root + rounding * (norm + of_root) + ldexp(1, self->format->least_exponent - 1));
    return norm == 0 ? 0 : self->role == INTEGER_SUMS ? (double)INFINITY : bound_in_range(bound, norm, self->format);
}

static double bound_in_tree(const struct method *self, struct shape shape, struct plain_tree tree,
                            const struct magnitudes *of)
{
    const struct claim claim = claim_of(self, shape, tree.height, of);
    if (is_root(self))
        return bound_of_norm(self, tree.atomics, claim, of->abs_s);
    /* Is the number itself, where it is one and not cut. */
    if (self->operation == OPERATION_sum && shape.terms <= 1 && self->role != INTEGER_SUMS) {
        const struct claim of_zero = claim_of(self, shape, tree.height, &(struct magnitudes){0, 0, 0, NULL});
        return of->sum_abs < INFINITY ? bound_of_sum(self, tree.atomics, of_zero) : (double)INFINITY;
    }
    return with_result_rounding(bound_of_sum(self, tree.atomics, claim), self, of);
}

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const struct plain_tree tree = {height(self, shape, launch), atomics(order_of(self), launch.blocks)};
    return bound_in_tree(self, shape, tree, of);
}

double replay_bound(const struct method *method, uint64_t n, struct plain_tree tree, const struct magnitudes *of)
{
    return bound_in_tree(method, shape_of_one(n), tree, of);
}

static double model_in_tree(const struct method *self, struct shape shape, uint64_t high, const struct magnitudes *of)
{
    const struct claim claim = claim_of(self, shape, high, of);
    const bool has_model = verbs_of(self)->probabilistic_bound && self->operation == OPERATION_sum;
    return has_model ? with_result_rounding(verbs_of(self)->probabilistic_bound(&claim), self, of) : (double)NAN;
}

static double probabilistic_bound(const struct method *self, struct shape shape, struct launch launch,
                                  const struct magnitudes *of)
{
    return model_in_tree(self, shape, height(self, shape, launch), of);
}

double replay_probabilistic_bound(const struct method *method, uint64_t n, uint64_t height, const struct magnitudes *of)
{
    return model_in_tree(method, shape_of_one(n), height, of);
}

/* ---- methods ---- */

const struct verbs *replay_verbs(const struct method *method)
{
    return method->replay == replay ? verbs_of(method) : NULL;
}

struct method replay_method(struct cell *cell, const struct verbs *verbs, int number)
{
    const struct order *order = &orders[number];
    *cell = (struct cell){.verbs = verbs, .order = order};
    snprintf(cell->id, sizeof cell->id, "%s/%s", verbs->id, order->id);
    return (struct method){
        .id = cell->id,
        .accumulator = verbs->accumulator,
        .order = order->id,
        .sum_format = sum_format_of(verbs->added, verbs->added),
        .format = verbs->added,
        .order_claim = order->claim,
        .accumulator_traits = verbs->traits,
        .order_traits = order->traits,
        .determinism = verbs->any_order ? DETERMINISTIC : order->determinism, /* what no order can change, none does */
        .slow_above = order->slow_above,
        .can_do = can_do,
        .height = height,
        .bound = bound,
        .probabilistic_bound = probabilistic_bound,
        .replay = replay,
        .own = cell,
        .device = verbs->on_device ? verbs->on_device[number] : NULL,
    };
}
