#include "kernels/replay.h"
#include "src/base/format.h"
#include "worker.h"

#include <inttypes.h>
#include <stdio.h>

/* In place of src/base's, which complains on stderr. */
enum status out_of_memory(const char *what)
{
    say("no memory for ");
    say(what);
    return NOT_MEASURED;
}

/* ---- verbs ---- */

/* Verbs know nothing but states: which accumulator's is kept here, and what terms are in.  The worker has one thread.
 */
static const struct ulpscope_accumulator *adds;
static const struct format *added;

static void *state_number(const void *states, uint64_t i)
{
    return (char *)(uintptr_t)states + i * adds->state_bytes;
}

static void make_terms(const struct operands *of, void *terms)
{
    for (uint64_t i = 0; i < of->shape.rows * of->shape.terms; i++)
        held_set(added, terms, i, held_number(of->format, of->arrays[0], i));
}

static void zero(void *states, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        adds->zero(state_number(states, i));
}

static void add_run(void *state, const void *terms, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        adds->add(state, held_number(added, terms, i));
}

static void add_runs(void *states, const void *terms, const struct piece *runs, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t t = runs[i].first; t < runs[i].first + runs[i].count; t++)
            adds->add(state_number(states, i), held_number(added, terms, t));
}

static void add_rows(void *states, const void *terms, uint64_t count, uint64_t rows, uint64_t stride)
{
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t i = 0; i < count; i++)
            adds->add(state_number(states, i), held_number(added, terms, row * stride + i));
}

static void merge(void *into, const void *from, struct merges merges)
{
    for (uint64_t row = 0; row < merges.rows; row++)
        for (uint64_t i = 0; i < merges.count; i++) {
            const uint64_t at = row * merges.row_step + i * merges.step;
            adds->merge(state_number(into, at), state_number(from, at));
        }
}

static void merge_run(void *state, const void *states, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        adds->merge(state, state_number(states, i));
}

static void gather(void *states, uint64_t step, uint64_t count)
{
    for (uint64_t i = 1; i < count && step > 1; i++)
        memcpy(state_number(states, i), state_number(states, i * step), adds->state_bytes);
}

static double result(const void *state)
{
    return adds->result(state);
}

/* From now on those of the method's accumulator. */
static struct verbs verbs_of(const struct library_method *method)
{
    adds = method->adds;
    added = sum_format_find(adds->format)->added;
    return (struct verbs){
        .id = adds->name,
        .accumulator = adds->name,
        .added = added,
        .state_bytes = adds->state_bytes,
        .term_bytes = format_held(added)->bytes,
        .make_terms = make_terms,
        .zero = zero,
        .add_run = add_run,
        .add_runs = add_runs,
        .add_rows = add_rows,
        .merge = merge,
        .merge_run = merge_run,
        .gather = gather,
        .result = result,
    };
}

/* ---- methods ---- */

bool accumulator_method(struct library_method *method)
{
    static const struct verbs none = {.id = "", .added = &FORMAT_BINARY32};
    const struct ulpscope_accumulator *of = method->adds;
    struct cell cell;
    const struct method order = replay_method(&cell, &none, method->order);
    const char *claim = of->claim ? of->claim : order.order_claim;
    method->of = (struct ulpscope_method){
        sizeof method->of, order.order,      "sum",          of->format, 0, NULL, claim, NULL, 0, of->bound,
        of->bound_of_sum,  of->bound_of_abs, of->bound_named};
    method->of.flags = ULPSCOPE_DETERMINISTIC | ULPSCOPE_ROWS;
    return order.determinism == DETERMINISTIC && (of->merge || order.order_traits->joins == NEVER_MERGES);
}

/* The elements of the input as the host has them; NULL: there is no memory, which is said. */
static void *held_input(const DLTensor *input, const struct format *stored, struct shape *shape)
{
    *shape =
        (struct shape){(uint64_t)input->shape[input->ndim - 1], input->ndim > 1 ? (uint64_t)input->shape[0] : 1, 0};
    const uint64_t count = shape->terms * shape->rows;
    void *held = malloc((count + 1) * format_held(stored)->bytes);
    if (held)
        held_unpack(stored, ulpscope_data(input), count, held);
    else
        out_of_memory("the numbers");
    return held;
}

bool accumulator_run(const struct library_method *method, const struct ulpscope_call *call)
{
    const struct verbs verbs = verbs_of(method);
    const struct sum_format *in = sum_format_find(method->adds->format);
    const struct launch launch = {call->blocks, call->threads};
    struct operands of = {.format = in->stored};
    struct cell cell;
    struct method replay = replay_method(&cell, &verbs, method->order);
    replay.sum_format = in;
    replay.format = in->result;
    OWNED void *held = held_input(call->inputs, in->stored, &of.shape);
    OWNED uint64_t *bits = malloc((of.shape.rows + 1) * sizeof *bits);
    of.arrays[0] = held;
    const bool is_done = held && bits && method_replay(&replay, &of, launch, 1, bits) == OK;
    for (uint64_t row = 0; row < of.shape.rows && is_done; row++)
        format_store(in->result, ulpscope_data(call->outputs), row, bits[row]);
    return is_done;
}

/* ---- states ---- */

enum { BESIDE = 256, UNTOUCHED = 0xa5 }; /* bytes before and behind a state */
enum { OF_NUMBERS, COPIED, OF_NOTHING, ROOMS };

static unsigned char *room_of(unsigned char *rooms, int room)
{
    return rooms + (size_t)room * (adds->state_bytes + 2 * BESIDE) + BESIDE;
}

static bool is_alone(unsigned char *rooms)
{
    bool is_alone = true;
    for (int room = 0; room < ROOMS; room++)
        for (size_t i = 0; i < BESIDE; i++)
            is_alone &= room_of(rooms, room)[-1 - (ptrdiff_t)i] == UNTOUCHED &&
                        room_of(rooms, room)[adds->state_bytes + i] == UNTOUCHED;
    if (!is_alone) {
        say("wrote beside its state of ");
        say_number(adds->state_bytes);
        say(" bytes");
    }
    return is_alone;
}

/* -0 and 0 are the same number, and so are NaNs. */
static bool is_same(const char *what, double found, double expected)
{
    char sentence[200];
    if (found == expected || (found != found && expected != expected))
        return true;
    snprintf(sentence, sizeof sentence, "%s: expected the result %a, found %a", what, expected, found);
    say(sentence);
    return false;
}

static void sum_up(void *state, const void *x, uint64_t count)
{
    adds->zero(state);
    add_run(state, x, count);
}

/* The first of `count` numbers in one place, the last in another. */
static bool moves(unsigned char *rooms, const void *x, uint64_t count)
{
    unsigned char *s = room_of(rooms, OF_NUMBERS), *copy = room_of(rooms, COPIED);
    sum_up(s, x, count - 1);
    memcpy(copy, s, adds->state_bytes);
    memset(s, 0xff, adds->state_bytes);
    add_run(copy, (const char *)x + (count - 1) * format_held(added)->bytes, 1);
    const double found = adds->result(copy);
    sum_up(s, x, count);
    return is_same("a state that was copied goes on otherwise", found, adds->result(s));
}

static bool merges_nothing(unsigned char *rooms, const void *x, uint64_t count)
{
    unsigned char *s = room_of(rooms, OF_NUMBERS), *copy = room_of(rooms, COPIED), *none = room_of(rooms, OF_NOTHING);
    sum_up(s, x, count);
    memcpy(copy, s, adds->state_bytes);
    adds->zero(none);
    adds->merge(none, s);
    if (!is_same("merge(zero, s) is not s", adds->result(none), adds->result(copy)))
        return false;
    if (memcmp(copy, s, adds->state_bytes) != 0) {
        say("merge(zero, s) changed s");
        return false;
    }
    adds->zero(none);
    adds->merge(copy, none);
    return is_same("merge(s, zero) is not s", adds->result(copy), adds->result(s));
}

bool accumulator_keeps_states(const struct library_method *method, const struct ulpscope_call *call)
{
    const struct verbs verbs = verbs_of(method);
    const struct sum_format *in = sum_format_find(method->adds->format);
    const size_t bytes = ROOMS * (adds->state_bytes + 2 * BESIDE);
    struct operands of = {.format = in->stored};
    OWNED void *held = held_input(call->inputs, in->stored, &of.shape);
    OWNED void *terms = malloc((of.shape.rows * of.shape.terms + 1) * verbs.term_bytes);
    OWNED unsigned char *rooms = malloc(bytes);
    of.arrays[0] = held;
    bool keeps = held && terms && rooms;
    if (keeps) {
        memset(rooms, UNTOUCHED, bytes);
        make_terms(&of, terms);
        keeps = moves(rooms, terms, of.shape.terms) && (!adds->merge || merges_nothing(rooms, terms, of.shape.terms)) &&
                is_alone(rooms);
    }
    return keeps;
}
