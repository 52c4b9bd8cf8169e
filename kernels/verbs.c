/* The verbs of one accumulator: compiled once per accumulator with -DACC=<id>, format that is added in and kind of
 * terms (terms.h), and once per broken one (broken.def) with -DVARIANT=<id> beside that. */
#include "portable.h"

#include "bound.h"
#include "src/base/format.h"
#include "walk.h"

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

/* ---- terms ---- */

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

static void make_terms(const struct operands *of, void *made)
{
    const uint64_t n = of->shape.rows * of->shape.terms;
    const void *x = of->arrays[0], *y = operation_table[of->operation].vectors > 1 ? of->arrays[1] : x;
    real x_room[PIECE], y_room[PIECE];
    for (uint64_t first = 0; first < n; first += PIECE) {
        const uint64_t count = n - first < PIECE ? n - first : PIECE;
        TERMS_OF(of->operation)
            ->make(as_reals(of->format, x, first, count, x_room), as_reals(of->format, y, first, count, y_room), count,
                   (term *)made + first);
    }
}

static double terms_claim(enum operation operation, struct claim *of)
{
    (void)operation;
    return TERMS_OF(operation)->claim(of);
}

/* ---- states ---- */

static void zero(void *states, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        ((STATE *)states)[i] = A(zero)();
}

static __attribute__((noinline)) void add_run(void *state, const void *terms, uint64_t count)
{
    STATE sum = *(STATE *)state;
    for (uint64_t i = 0; i < count; i++)
        sum = ADD_TERM(sum, ((const term *)terms)[i]);
    *(STATE *)state = sum;
}

/* Additions that branch do not go side by side, and what is recorded is so run by run. */
#if defined(ADD_BRANCHES) || defined(ACCUMULATOR_HOST_ONLY)
#define ADDS_IN_TURN 1
#else
#define ADDS_IN_TURN 0
enum { RUNS_AT_ONCE = 4, RUN_BYTES_MOST = 64 };
#endif

/* Several runs side by side, as far as all go, since the additions of one wait for each other. */
static void add_runs(void *states, const void *terms, const struct piece *runs, uint64_t count)
{
    uint64_t i = 0;
#if !ADDS_IN_TURN
    for (; i + RUNS_AT_ONCE <= count && sizeof(STATE) <= RUN_BYTES_MOST; i += RUNS_AT_ONCE) {
        STATE sums[RUNS_AT_ONCE];
        const term *of_run[RUNS_AT_ONCE];
        uint64_t together = runs[i].count;
        for (int k = 0; k < RUNS_AT_ONCE; k++) {
            sums[k] = ((STATE *)states)[i + (uint64_t)k];
            of_run[k] = (const term *)terms + runs[i + (uint64_t)k].first;
            together = runs[i + (uint64_t)k].count < together ? runs[i + (uint64_t)k].count : together;
        }
        for (uint64_t t = 0; t < together; t++)
#pragma GCC unroll 4
            for (int k = 0; k < RUNS_AT_ONCE; k++)
                sums[k] = ADD_TERM(sums[k], of_run[k][t]);
        for (int k = 0; k < RUNS_AT_ONCE; k++) {
            ((STATE *)states)[i + (uint64_t)k] = sums[k];
            add_run((STATE *)states + i + k, of_run[k] + together, runs[i + (uint64_t)k].count - together);
        }
    }
#endif
    for (; i < count; i++)
        add_run((STATE *)states + i, (const term *)terms + runs[i].first, runs[i].count);
}

/* Row after row, so that the additions of neighbouring states go side by side in vector registers; additions that
 * branch do not, and with four rows at once load and store their state four times less often. */
static void add_rows(void *states, const void *terms, uint64_t count, uint64_t rows, uint64_t stride)
{
    STATE *restrict of = states;
#ifdef ADD_BRANCHES
    enum { ROWS_AT_ONCE = 4 };
    for (uint64_t row = 0; row < rows; row += ROWS_AT_ONCE) {
        const uint64_t end = rows - row < ROWS_AT_ONCE ? rows : row + ROWS_AT_ONCE;
        for (uint64_t i = 0; i < count; i++) {
            STATE sum = of[i];
            for (uint64_t r = row; r < end; r++)
                sum = ADD_TERM(sum, ((const term *)terms)[r * stride + i]);
            of[i] = sum;
        }
    }
#else
    for (uint64_t row = 0; row < rows; row++) {
        const term *restrict x = (const term *)terms + row * stride;
        for (uint64_t i = 0; i < count; i++)
            of[i] = ADD_TERM(of[i], x[i]);
    }
#endif
}

static void merge(void *into, const void *from, struct merges merges)
{
    for (uint64_t row = 0; row < merges.rows; row++) {
        STATE *to = (STATE *)into + row * merges.row_step;
        const STATE *of = (const STATE *)from + row * merges.row_step;
        if (merges.step == 1)
            for (uint64_t i = 0; i < merges.count; i++)
                to[i] = A(merge)(to[i], of[i]);
        else
            for (uint64_t i = 0; i < merges.count; i++)
                to[i * merges.step] = A(merge)(to[i * merges.step], of[i * merges.step]);
    }
}

static void merge_run(void *state, const void *states, uint64_t count)
{
    STATE sum = *(STATE *)state;
    for (uint64_t i = 0; i < count; i++)
        sum = A(merge)(sum, ((const STATE *)states)[i]);
    *(STATE *)state = sum;
}

#ifdef IS_sum
#define ADD_PRODUCT(s, x, y) A(add)(s, dot_term(x, y))
#else
#define ADD_PRODUCT(s, x, y) PASTE(OPERATION_ID, add)(s, x, y)
#endif
static void add_products(void *states, const void *a, const void *b, uint64_t rows, uint64_t count)
{
    STATE *restrict of = states;
    for (uint64_t k = 0; k < rows; k++)
        for (uint64_t i = 0; i < count; i++)
            of[i] = ADD_PRODUCT(of[i], ((const real *)a)[k], ((const real *)b)[k * count + i]);
}

static void take(const struct walk_step *step, STATE *made, const STATE *other, const term *x)
{
    switch (step->kind) {
    case WALK_START:
        for (int k = 0; k < WALK_LANES; k++)
            made[k] = ADD_TERM(A(zero)(), x[k]);
        break;
    case WALK_ADD:
        for (int k = 0; k < WALK_LANES; k++)
            made[k] = ADD_TERM(made[k], x[k]);
        break;
    case WALK_MERGE:
        for (int k = 0; k < WALK_LANES; k++)
            made[k] = A(merge)(made[k], other[k]);
    }
    for (int k = 0; k < WALK_LANES && step->settled; k++)
        made[k] = A(merge)(A(zero)(), made[k]);
}

static void walk(void *states, const struct walk_step *steps, uint64_t count, const void *terms)
{
    for (uint64_t i = 0; i < count; i++) {
        const bool merges = steps[i].kind == WALK_MERGE;
        const uint64_t place = (uint64_t)steps[i].place * WALK_LANES, other = (uint64_t)steps[i].other * WALK_LANES;
        take(&steps[i], (STATE *)states + place, merges ? (const STATE *)states + other : NULL,
             merges ? NULL : (const term *)terms + other);
    }
}

static void gather(void *states, uint64_t step, uint64_t count)
{
    STATE *of = states;
    for (uint64_t i = 1; i < count && step > 1; i++)
        of[i] = of[i * step];
}

static double result(const void *state)
{
    return A(result)(*(const STATE *)state);
}

/* ---- what is watched ---- */

/* A product is what two numbers hold exactly unless it underflows or overflows in binary64. */
static void worth(const void *of, double *parts)
{
    const term t = *(const term *)of;
#ifdef IS_sum
    parts[0] = (double)t;
#else
    parts[0] = (double)t.x * (double)t.y;
    parts[1] = REAL_PRECISION == 53 ? (double)product_error(t.x, t.y, (real)parts[0]) : 0;
#endif
}

#if A(MEASURES) || defined(VARIANT) || (A(HAS_EXACT_PRODUCTS) && defined(IS_dot_exact))
#define PARTS NULL
#else
#define PARTS state_parts
static int state_parts(const void *state, double *parts)
{
    return A(parts)(*(const STATE *)state, parts);
}
#endif

/* ---- all of them ---- */

#ifndef OTHERS_ABSENT
#define OTHERS_ABSENT NULL
#endif

#ifndef TRAITS
#define TRAITS USUAL_TRAITS
#endif
static const struct accumulator_traits traits = {TRAITS};

#if defined(ULPSCOPE_CUDA) && !defined(ACCUMULATOR_HOST_ONLY) && !defined(VARIANT)
extern const struct device_method *const DEVICE_HALF_NAMED(on_device)[];
#ifdef SCANS
extern const struct device_method *const EXPORTED(scans_on_device)[];
#endif
#ifdef MULTIPLIES
extern const struct matmul_device DEVICE_HALF_NAMED(matmul_on_device);
#endif
#endif

static const struct verbs verbs = {
    .id = TEXT(METHODS_NAME),
    .accumulator = TEXT(ACC),
    .added = &REAL_FORMAT,
    .traits = &traits,
#if defined(ULPSCOPE_CUDA) && !defined(ACCUMULATOR_HOST_ONLY) && !defined(VARIANT)
    .on_device = DEVICE_HALF_NAMED(on_device),
#ifdef SCANS
    .scans_on_device = EXPORTED(scans_on_device),
#endif
#ifdef MULTIPLIES
    .matmul_on_device = &DEVICE_HALF_NAMED(matmul_on_device),
#endif
#endif
    .state_bytes = sizeof(STATE),
    .term_bytes = sizeof(term),
#if A(HAS_ATOMIC)
    .has_atomic = true,
    .atomic_loss = A(ATOMIC_LOSS),
#endif
#if A(ANY_ORDER)
    .any_order = true,
#endif
#if A(ROUNDED_ONCE)
    .rounded_once = true,
#endif
#ifdef ACCUMULATOR_HOST_ONLY
    .is_recorded = true,
#endif
    .make_terms = make_terms,
    .zero = zero,
    .add_run = add_run,
    .add_runs = add_runs,
    .add_rows = add_rows,
    .merge = merge,
    .merge_run = merge_run,
    .add_products = add_products,
    .walk = walk,
    .gather = gather,
    .result = result,
    .worth = worth,
    .parts = PARTS,
    .bound = A(bound),
#if A(HAS_MODEL)
    .probabilistic_bound = A(probabilistic_bound),
#endif
    .terms_claim = terms_claim,
};

const struct compiled EXPORTED(compiled) = {&verbs, NULL, OTHERS_ABSENT};
#endif
