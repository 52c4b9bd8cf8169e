#include "scan.h"

#include "claim.h"
#include "order.h"
#include "src/base/format.h"

#include <assert.h>
#include <stdlib.h>

struct scanning {
    const struct verbs *verbs;
    const struct format *result;
    const char *x, *negated; /* terms; of numbers times -1, where they are taken off */
    uint64_t n, window;
    struct launch launch;
    void *states; /* as many as the order has */
    struct scan_pieces pieces;
    uint64_t *bits;
};

static void *state(const struct scanning *of, uint64_t i)
{
    return state_at(of->verbs, of->states, i);
}

static void copy(const struct scanning *of, void *to, const void *from)
{
    memcpy(to, from, of->verbs->state_bytes);
}

static void add(const struct scanning *of, void *to, uint64_t first, uint64_t count)
{
    of->verbs->add_run(to, of->x + first * of->verbs->term_bytes, count);
}

static void merge(const struct scanning *of, void *into, const void *from)
{
    of->verbs->merge(into, from, merges_of(1));
}

/* Every order does it from the first to the last. */
static void put(const struct scanning *of, uint64_t j, const void *prefix)
{
    const double sum = of->verbs->result(prefix);
    const uint64_t at = j & (of->pieces.at_once - 1);
    of->bits[at] = of->result->bytes == sizeof(float) ? float_bits((float)sum)
                                                      : format_bits(of->result, rounded_to(sum, of->result));
    if (of->pieces.take && (at + 1 == of->pieces.at_once || j + 1 == of->n))
        of->pieces.take(of->pieces.context, j - at, at + 1);
}

/* ---- serial ---- */

static uint64_t serial_result_height(struct shape shape, uint64_t j, struct launch launch)
{
    (void)shape, (void)launch;
    return j + 1;
}

/* ---- chunks ---- */

static uint64_t chunks_result_height(struct shape shape, uint64_t j, struct launch launch)
{
    const uint64_t c = scan_chunk(shape.terms, launch), g = j / c, own = j % c + 1;
    return g == 0 ? own : c + (g - 1) + own;
}

static void replay_chunks(const struct scanning *of, uint64_t c)
{
    void *before = state(of, 0), *run = state(of, 1), *prefix = state(of, 2);
    of->verbs->zero(before, 1);
    for (uint64_t first = 0; first < of->n; first += c) {
        const uint64_t count = at_most(c, of->n - first);
        copy(of, prefix, before);
        for (uint64_t j = first; j < first + count; j++) {
            add(of, prefix, j, 1);
            put(of, j, prefix);
        }
        of->verbs->zero(run, 1);
        add(of, run, first, count);
        merge(of, before, run);
    }
}

static void serial_replay(const struct scanning *of)
{
    replay_chunks(of, of->n);
}

static void chunks_replay(const struct scanning *of)
{
    replay_chunks(of, scan_chunk(of->n, of->launch));
}

/* ---- hillis_steele ---- */

static uint64_t hillis_steele_result_height(struct shape shape, uint64_t j, struct launch launch)
{
    (void)shape, (void)launch;
    return 1 + ceil_log2(j + 1);
}

/* From the last on, so that each takes what another one was before. */
static void take_at_distances(const struct scanning *of, void *states, uint64_t count)
{
    for (uint64_t d = 1; d < count; d *= 2)
        for (uint64_t end = count; end > d;) {
            const uint64_t some = at_most(d, end - d);
            end -= some;
            of->verbs->merge(state_at(of->verbs, states, end), state_at(of->verbs, states, end - d), merges_of(some));
        }
}

static void hillis_steele_replay(const struct scanning *of)
{
    of->verbs->zero(of->states, of->n);
    of->verbs->add_rows(of->states, of->x, of->n, 1, of->n);
    take_at_distances(of, of->states, of->n);
    for (uint64_t j = 0; j < of->n; j++)
        put(of, j, state(of, j));
}

/* ---- blelloch ---- */

static uint64_t blelloch_result_height(struct shape shape, uint64_t j, struct launch launch)
{
    (void)shape, (void)launch;
    return j == 0 ? 1 : (uint64_t)(63 - __builtin_clzll(j)) + (uint64_t)__builtin_popcountll(j) + 1;
}

/* Of neighbours of d numbers each the right one has the last place of both: up, it takes the left one; down, it has
 * what is before both, which goes to the left one, and takes what that was. */
static void blelloch_replay(const struct scanning *of)
{
    const uint64_t places = UINT64_C(1) << ceil_log2(of->n);
    void *const kept = state(of, places);
    of->verbs->zero(of->states, places);
    of->verbs->add_rows(of->states, of->x, of->n, 1, of->n);
    for (uint64_t d = 1; d < places; d *= 2)
        for (uint64_t right = 2 * d - 1; right < of->n; right += 2 * d)
            merge(of, state(of, right), state(of, right - d));
    of->verbs->zero(state(of, places - 1), 1);
    for (uint64_t d = places / 2; d > 0; d /= 2)
        for (uint64_t right = 2 * d - 1; right < places && right - d - (d - 1) < of->n; right += 2 * d) {
            copy(of, kept, state(of, right));
            merge(of, state(of, right), state(of, right - d));
            copy(of, state(of, right - d), kept);
        }
    for (uint64_t j = 0; j < of->n; j++) {
        add(of, state(of, j), j, 1);
        put(of, j, state(of, j));
    }
}

/* ---- two_level and look_back ---- */

/* Before the threads' states: those that a tile needs, and of each level what is there of its last group. */
enum { BEFORE_TILE, BEFORE_THREAD, OWN, PREFIX, WHOLE, IN_LEVEL, BESIDE_THREADS = IN_LEVEL + SCAN_LEVELS };

/* Of two states, of which one may be empty. */
static uint64_t merged_height(uint64_t a, uint64_t b)
{
    return a == 0 || b == 0 ? a + b : (a > b ? a : b) + 1;
}

/* Of the first threads of a tile. */
static uint64_t threads_height(uint64_t count)
{
    const uint64_t warps = count / WARP, last = count % WARP;
    const uint64_t of_warps = warps == 0 ? 0 : SCAN_ITEMS + ceil_log2(WARP) + warps - 1;
    return merged_height(of_warps, last == 0 ? 0 : SCAN_ITEMS + ceil_log2(last));
}

static uint64_t two_level_result_height(struct shape shape, uint64_t j, struct launch launch)
{
    const uint64_t tile = j / scan_tile(launch), of_tile = threads_height(launch.threads);
    uint64_t before = 0;
    (void)shape;
    for (int level = SCAN_LEVELS - 1; level >= 0; level--) {
        const uint64_t some = scan_of_level(tile, level) % SCAN_FAN;
        before = merged_height(before, some == 0 ? 0 : of_tile + (uint64_t)level * (SCAN_FAN - 1) + some - 1);
    }
    before = merged_height(before, threads_height(j % scan_tile(launch) / SCAN_ITEMS));
    return merged_height(before, j % SCAN_ITEMS + 1);
}

/* The threads' sums, each with those before it of its warp; some may have no number. */
static void scan_warps(const struct scanning *of, void *threads, uint64_t first)
{
    const uint32_t all = of->launch.threads;
    of->verbs->zero(threads, all);
    for (uint64_t t = 0; t < all && first + t * SCAN_ITEMS < of->n; t++)
        add(of, state_at(of->verbs, threads, t), first + t * SCAN_ITEMS,
            at_most(SCAN_ITEMS, of->n - first - t * SCAN_ITEMS));
    for (uint32_t t = 0; t < all; t += WARP)
        take_at_distances(of, state_at(of->verbs, threads, t), at_most(WARP, all - t));
}

/* Of the first threads of a tile; whole warps left to right. */
static void sum_threads(const struct scanning *of, void *sum, const void *threads, uint64_t count)
{
    copy(of, sum, state_at(of->verbs, threads, (count < WARP ? count : WARP) - 1));
    for (uint64_t end = 2 * WARP; end < count + WARP && count > WARP; end += WARP)
        merge(of, sum, state_at(of->verbs, threads, at_most(end, count) - 1));
}

static void put_tile(const struct scanning *of, const void *threads, uint64_t first)
{
    void *const before = state(of, BEFORE_THREAD), *const own = state(of, OWN), *const prefix = state(of, PREFIX);
    for (uint64_t j = first; j < at_most(first + scan_tile(of->launch), of->n); j++) {
        const uint64_t thread = (j - first) / SCAN_ITEMS;
        if (j % SCAN_ITEMS == 0) {
            copy(of, before, state(of, BEFORE_TILE));
            if (thread > 0) {
                sum_threads(of, own, threads, thread);
                merge(of, before, own);
            }
            of->verbs->zero(own, 1);
        }
        add(of, own, j, 1);
        copy(of, prefix, before);
        merge(of, prefix, own);
        put(of, j, prefix);
    }
}

/* What is before a tile, from the largest groups on. */
static void merge_levels(const struct scanning *of, uint64_t tile)
{
    of->verbs->zero(state(of, BEFORE_TILE), 1);
    for (int level = SCAN_LEVELS - 1; level >= 0; level--)
        if (scan_of_level(tile, level) % SCAN_FAN > 0)
            merge(of, state(of, BEFORE_TILE), state(of, IN_LEVEL + (uint64_t)level));
}

/* The sum of a tile ends as many groups as its number has last digits of SCAN_FAN - 1. */
static void add_to_levels(const struct scanning *of, uint64_t tile)
{
    int level = 0;
    for (; scan_of_level(tile, level) % SCAN_FAN == SCAN_FAN - 1; level++) {
        merge(of, state(of, IN_LEVEL + (uint64_t)level), state(of, WHOLE));
        copy(of, state(of, WHOLE), state(of, IN_LEVEL + (uint64_t)level));
    }
    if (scan_of_level(tile, level) % SCAN_FAN == 0)
        copy(of, state(of, IN_LEVEL + (uint64_t)level), state(of, WHOLE));
    else
        merge(of, state(of, IN_LEVEL + (uint64_t)level), state(of, WHOLE));
}

static void two_level_replay(const struct scanning *of)
{
    void *const threads = state(of, BESIDE_THREADS);
    for (uint64_t tile = 0; tile * scan_tile(of->launch) < of->n; tile++) {
        scan_warps(of, threads, tile * scan_tile(of->launch));
        merge_levels(of, tile);
        put_tile(of, threads, tile * scan_tile(of->launch));
        sum_threads(of, state(of, WHOLE), threads, of->launch.threads);
        add_to_levels(of, tile);
    }
}

#define look_back_result_height serial_result_height /* whatever it finds: j + 1 leaves */

static void look_back_replay(const struct scanning *of)
{
    void *const threads = state(of, BESIDE_THREADS);
    of->verbs->zero(state(of, BEFORE_TILE), 1);
    for (uint64_t first = 0; first < of->n; first += scan_tile(of->launch)) {
        scan_warps(of, threads, first);
        put_tile(of, threads, first);
        sum_threads(of, state(of, WHOLE), threads, of->launch.threads);
        merge(of, state(of, BEFORE_TILE), state(of, WHOLE));
    }
}

/* ---- windows ---- */

/* Each is an addition. */
static uint64_t add_subtract_result_height(struct shape shape, uint64_t j, struct launch launch)
{
    const uint64_t c = scan_chunk(shape.terms, launch), w = scan_window(shape), first = j / c * c;
    const uint64_t from = first > w - 1 ? first : w - 1; /* those behind it have taken one off */
    return scan_before(first, w) + (j - first + 1) + (j > from ? j - from : 0);
}

static void add_subtract_replay(const struct scanning *of)
{
    const uint64_t c = scan_chunk(of->n, of->launch), w = of->window;
    for (uint64_t j = 0; j < of->n; j++) {
        if (j % c == 0) {
            of->verbs->zero(of->states, 1);
            add(of, of->states, j - scan_before(j, w), scan_before(j, w));
        }
        add(of, of->states, j, 1);
        if (j % c > 0 && j >= w)
            of->verbs->add_run(of->states, of->negated + (j - w) * of->verbs->term_bytes, 1);
        put(of, j, of->states);
    }
}

static uint64_t again_each_time_result_height(struct shape shape, uint64_t j, struct launch launch)
{
    (void)launch;
    return scan_before(j, scan_window(shape)) + 1;
}

static void again_each_time_replay(const struct scanning *of)
{
    for (uint64_t j = 0; j < of->n; j++) {
        const uint64_t before = scan_before(j, of->window);
        of->verbs->zero(of->states, 1);
        add(of, of->states, j - before, before + 1);
        put(of, j, of->states);
    }
}

/* ---- as methods ---- */

static const struct {
    const char *id, *claim;
    enum operation operation;
    enum determinism determinism;
    uint64_t slow_above;
    uint64_t (*height)(struct shape shape, uint64_t j, struct launch launch);
    void (*replay)(const struct scanning *of);
} orders[SCAN_ORDERS] = {
#define SCAN_ORDER(id, operation, determinism, slow_above, claim)                                                      \
    {#id, claim, OPERATION_##operation, determinism, slow_above, id##_result_height, id##_replay},
#include "scan_orders.def"
};

static const struct scan_method *own_of(const struct method *self)
{
    return self->own;
}

/* At most: one for each number, and a power of two of them; or those of the threads of a tile. */
static uint64_t states_of(enum scan_order order, uint64_t n, struct launch launch)
{
    const bool has_all = order == SCAN_ORDER_hillis_steele || order == SCAN_ORDER_blelloch;
    return has_all ? (UINT64_C(1) << ceil_log2(n)) + 1 : launch.threads + BESIDE_THREADS;
}

/* Terms of the numbers, or of them times -1. */
static void make_terms(const struct verbs *verbs, const struct operands *of, bool negates, void *terms)
{
    const uint64_t count = of->shape.rows * of->shape.terms;
    struct operands numbers = {.format = of->format, .operation = OPERATION_sum, .shape = {count, 1, 0}};
    double negated;
    numbers.arrays[0] = of->arrays[0];
    numbers.shape.terms = negates ? 1 : count;
    for (uint64_t i = 0; i < (negates ? count : 1); i++) {
        if (negates) {
            held_set(of->format, &negated, 0, -held_number(of->format, of->arrays[0], i));
            numbers.arrays[0] = &negated;
        }
        verbs->make_terms(&numbers, (char *)terms + i * verbs->term_bytes);
    }
}

enum status scan_replay(const struct method *self, const struct operands *of, struct launch launch,
                        const struct scan_pieces *pieces, uint64_t *bits)
{
    const struct verbs *verbs = own_of(self)->cell.verbs;
    const enum scan_order order = own_of(self)->order;
    const uint64_t n = of->shape.terms;
    const uint64_t rows = of->shape.rows, bytes = rows * n * verbs->term_bytes;
    const bool negates = order == SCAN_ORDER_add_subtract;
    const uint64_t copied = format_held(of->format)->bytes == format_held(verbs->added)->bytes ? 0 : bytes;
    OWNED char *terms = malloc(copied + (negates ? bytes : 0) + 1);
    OWNED void *states = malloc(states_of(order, n, launch) * verbs->state_bytes);
    if (!terms || !states)
        return out_of_memory("the states of a scan");
    if (copied > 0)
        make_terms(verbs, of, false, terms);
    if (negates)
        make_terms(verbs, of, true, terms + copied);
    const char *const x = copied > 0 ? terms : of->arrays[0];
    for (uint64_t row = 0; row < rows && n > 0; row++) {
        const uint64_t before = row * n * verbs->term_bytes;
        orders[order].replay(&(struct scanning){verbs, self->format, x + before, terms + copied + before, n,
                                                scan_window(of->shape), launch, states, *pieces, bits + row * n});
    }
    return OK;
}

static enum status replay(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits)
{
    (void)workers;
    return scan_replay(self, of, launch, &(struct scan_pieces){UINT64_C(1) << 63, NULL, NULL}, bits);
}

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    struct thread_grid grid = method_grid(self, launch);
    const enum scan_order order = own_of(self)->order;
    const bool has_tiles = order == SCAN_ORDER_two_level || order == SCAN_ORDER_look_back;
    if (has_tiles && !threads_fit(grid, why))
        return false;
    grid.threads += WARP + 2; /* what a warp looks at, what is before a tile, and its number */
    return !has_tiles || states_fit(own_of(self)->cell.verbs, grid, why);
}

uint64_t scan_height(enum scan_order order, struct shape shape, uint64_t j, struct launch launch)
{
    return orders[order].height(shape, j, launch);
}

static void raise(uint64_t *highest, enum scan_order order, struct shape shape, uint64_t end, struct launch launch)
{
    const uint64_t at_end = end > 0 ? scan_height(order, shape, end - 1, launch) : 0;
    *highest = at_end > *highest ? at_end : *highest;
}

/* Of all results: it grows up to the end of a chunk, a tile or a group of tiles, and with the ones of j in binary. */
static uint64_t height(const struct method *self, struct shape shape, struct launch launch)
{
    const enum scan_order order = own_of(self)->order;
    const uint64_t n = shape.terms;
    uint64_t highest = 0, ends[3 + SCAN_LEVELS] = {1, SCAN_ITEMS, scan_chunk(n, launch)};
    for (int level = 0; level < SCAN_LEVELS; level++)
        ends[3 + level] = scan_tile(launch) << (SCAN_FAN_BITS * level);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        raise(&highest, order, shape, n / ends[e] * ends[e], launch);
        raise(&highest, order, shape, n / ends[e] > 0 ? (n / ends[e] - 1) * ends[e] : 0, launch);
    }
    for (uint64_t one = 1; one != 0 && n > 0 && one <= n - 1; one *= 2)
        if ((n - 1) & one)
            raise(&highest, order, shape, (((n - 1) & ~(2 * one - 1)) | (one - 1)) + 1, launch);
    return highest;
}

/* Of one result where the moments say of which; else of all.  Merges with what is empty are exact.  A window is a sum
 * of all that was added and taken off before it; one that is added again, of its numbers alone. */
static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const struct scan_method *own = own_of(self);
    const bool is_of_one = of->moments && of->moments->prefix > 0, has_history = own->order == SCAN_ORDER_add_subtract;
    const uint64_t prefix = is_of_one ? (uint64_t)of->moments->prefix : shape.terms;
    const uint64_t high = is_of_one ? scan_height(own->order, shape, prefix - 1, launch) : height(self, shape, launch);
    struct magnitudes magnitudes = *of;
    if (has_history)
        magnitudes.sum_abs = is_of_one ? of->moments->history : 2 * of->sum_abs;
    return replay_bound(&own->sums, has_history || self->operation == OPERATION_rolling ? high : prefix,
                        (struct plain_tree){high, 0}, &magnitudes);
}

static double no_model(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    (void)self, (void)shape, (void)launch, (void)of;
    return NAN;
}

bool scan_method_make(struct scan_method *of, enum operation operation, const struct verbs *verbs,
                      enum scan_order order, const struct sum_format *sum_format, struct method *method)
{
    static const struct order_traits traits = {0};
    if (orders[order].operation != operation)
        return false;
    of->sums = replay_method(&of->cell, verbs, 0);
    of->sums.sum_format = sum_format;
    of->sums.format = sum_format->result;
    of->order = order;
    snprintf(of->cell.id, sizeof of->cell.id, "%s/%s", verbs->id, orders[order].id);
    *method = of->sums;
    method->order = orders[order].id;
    method->order_claim = orders[order].claim;
    method->order_traits = &traits;
    method->determinism = verbs->any_order ? DETERMINISTIC : orders[order].determinism;
    method->slow_above = orders[order].slow_above;
    method->operation = operation;
    method->can_do = can_do;
    method->height = height;
    method->bound = bound;
    method->probabilistic_bound = no_model;
    method->replay = replay;
    method->device = verbs->scans_on_device ? verbs->scans_on_device[order] : NULL;
    method->own = of;
    return true;
}
