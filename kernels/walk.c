/* The walker of one accumulator: compiled once per accumulator that SUMS with -DACC=<id>, as verbs.c is. */
#include "walk.h"

#include "portable.h"

#include "bound.h"

#include ACCUMULATOR_FILE

extern const struct walker EXPORTED(walker);
#ifdef ABSENT
const struct walker EXPORTED(walker) = {.accumulator = TEXT(ACC)};
#else

#if A(ANY_ORDER)
/* In any tree it has the same bits: one state for each data set takes all elements, and nothing is merged. */
static void sums(const struct walk *walk, const void *x, void *room, double results[WALK_LANES])
{
    STATE *states = room;
    for (int k = 0; k < WALK_LANES; k++)
        states[k] = A(zero)();
    for (uint64_t i = 0; i < walk->count; i++)
        for (int k = 0; k < WALK_LANES && walk->steps[i].kind != WALK_MERGE; k++)
            states[k] = A(add)(states[k], ((const real *)x)[(size_t)walk->steps[i].other * WALK_LANES + (size_t)k]);
    for (int k = 0; k < WALK_LANES; k++)
        results[k] = A(result)(states[k]);
}
#else
static void take(const struct walk_step *step, STATE *made, const STATE *other, const real *x)
{
    switch (step->kind) {
    case WALK_START:
        for (int k = 0; k < WALK_LANES; k++)
            made[k] = A(add)(A(zero)(), x[k]);
        break;
    case WALK_ADD:
        for (int k = 0; k < WALK_LANES; k++)
            made[k] = A(add)(made[k], x[k]);
        break;
    case WALK_MERGE:
        for (int k = 0; k < WALK_LANES; k++)
            made[k] = A(merge)(made[k], other[k]);
    }
    for (int k = 0; k < WALK_LANES && step->settled; k++)
        made[k] = A(merge)(A(zero)(), made[k]);
}

static void sums(const struct walk *walk, const void *x, void *room, double results[WALK_LANES])
{
    STATE *states = room;
    for (uint64_t i = 0; i < walk->count; i++) {
        const struct walk_step *step = &walk->steps[i];
        const bool merges = step->kind == WALK_MERGE;
        take(step, states + (size_t)step->place * WALK_LANES, merges ? states + (size_t)step->other * WALK_LANES : NULL,
             merges ? NULL : (const real *)x + (size_t)step->other * WALK_LANES);
    }
    for (int k = 0; k < WALK_LANES; k++)
        results[k] = A(result)(walk->count > 0 ? states[(size_t)walk->root * WALK_LANES + (size_t)k] : A(zero)());
}
#endif

const struct walker EXPORTED(walker) = {
    .accumulator = TEXT(ACC), .state_bytes = sizeof(STATE), .number_bytes = sizeof(real), .sums = sums};
#endif
