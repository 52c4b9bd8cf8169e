#include "climb.h"

#include "breed.h"
#include "src/base/list.h"
#include "src/base/workers.h"

#include <stdlib.h>
#include <string.h>

enum {
    ISLANDS = 8,
    GENERATIONS = 64, /* of an epoch */
    STALE = 256,      /* generations without a rise to speak of: an island begins again */
    RISES_MOST = GENERATIONS,
};

enum status attack_best_take(struct attack_best *best, const double *numbers, uint64_t n, double value, double computed,
                             uint64_t calls, const char *by)
{
    struct attack_step *steps = list_with_room(best->steps, best->step_count, &best->step_room, sizeof *steps);
    if (!steps)
        return out_of_memory("the curve of an attack");
    best->steps = steps;
    steps[best->step_count++] = (struct attack_step){calls, value, memory_copy(by)};
    memcpy(best->numbers, numbers, n * sizeof *numbers);
    best->value = value;
    best->computed = computed;
    return OK;
}

/* ---- islands ---- */

/* A value above all that was known when the epoch began. */
struct rise {
    uint64_t calls; /* of the epoch, this one included */
    double value;
    enum breed_change by;
};

struct island {
    double *parent, *children, *highest;   /* n numbers; JUDGED_AT_ONCE times n; the last rise's */
    double value, highest_value, computed; /* of the parent; of the highest */
    double mark;                           /* the value when it last rose by more than a little */
    uint64_t stale, generation, starts;    /* generations since then; all; how often it has begun */
    uint64_t quota, spent;                 /* calls of this epoch */
    struct rise rises[RISES_MOST];
    size_t rise_count;
    enum status status; /* not OK: the method failed on the first of the children */
};

struct archipelago {
    const struct attack_request *request;
    const struct attack_starts *starts;
    struct breed breed;
    struct generator_call dice; /* seed and stream */
    struct island islands[ISLANDS];
    double *room, *parents; /* all numbers of islands; the parents when the epoch began, which crossing takes from */
    struct attack_judge *judges;
    const struct attack_best *best;
    unsigned workers;
};

/* Numbers by chance: exponents from a window, which is narrow or wide. */
static void make_random(const struct archipelago *all, struct dice *dice, double *x)
{
    const uint32_t window = 1 + dice_below(dice, 2 * (uint32_t)all->breed.added_precision);
    const bool has_signs = dice_below(dice, 2);
    for (uint64_t i = 0; i < all->breed.n; i++) {
        const double number = breed_significand(&all->breed, dice), positive = number < 0 ? -number : number;
        x[i] = breed_scaled(&all->breed, has_signs ? number : positive,
                            all->breed.format.overflow_exponent / 4 - (int)dice_below(dice, window));
    }
}

/* The first island begins with the best that is known, others with others; the second time a start is by chance, or one
 * of the best again. */
static void begin(struct archipelago *all, struct island *island, size_t number, struct dice *dice)
{
    const size_t n = all->breed.n;
    island->value = 0;
    island->stale = 0;
    if (island->starts++ == 0 && number < all->starts->count) {
        memcpy(island->parent, all->starts->numbers + number * n, n * sizeof *island->parent);
        island->value = all->starts->values[number];
    } else if (number == 0 || dice_below(dice, 4) == 0) {
        memcpy(island->parent, all->best->numbers, n * sizeof *island->parent);
        island->value = all->best->value;
    } else if (all->starts->count > 0 && dice_below(dice, 2)) {
        const size_t start = dice_below(dice, all->starts->count);
        memcpy(island->parent, all->starts->numbers + start * n, n * sizeof *island->parent);
        island->value = all->starts->values[start];
    } else {
        make_random(all, dice, island->parent);
    }
    island->mark = island->value;
}

static struct dice dice_of(const struct archipelago *all, const struct island *island, size_t number, size_t child)
{
    const uint64_t generation = island->generation * ISLANDS + number;
    return (struct dice){.call = &all->dice, .throw_number = generation * (JUDGED_AT_ONCE + 1) + child};
}

static void note_rise(struct island *island, const double *child, double value, double computed, uint64_t calls,
                      enum breed_change by, size_t n)
{
    memcpy(island->highest, child, n * sizeof *child);
    island->highest_value = value;
    island->computed = computed;
    island->rises[island->rise_count++] = (struct rise){calls, value, by};
}

/* False: enough was reached, or the method failed. */
static bool take_generation(struct archipelago *all, struct island *island, size_t number, struct attack_judge *judge)
{
    const size_t n = all->breed.n, left = island->quota - island->spent;
    const size_t count = left < JUDGED_AT_ONCE ? left : JUDGED_AT_ONCE;
    enum breed_change by[JUDGED_AT_ONCE];
    double values[JUDGED_AT_ONCE], computed[JUDGED_AT_ONCE];
    size_t best = 0, failed = 0;
    for (size_t k = 0; k < count; k++) {
        struct dice dice = dice_of(all, island, number, k);
        const double *other = all->parents + dice_below(&dice, ISLANDS) * n;
        by[k] = breed_child(&all->breed, &dice, island->parent, other, island->children + k * n);
    }
    island->status = attack_judge_all(judge, island->children, count, values, computed, &failed);
    if (island->status != OK) {
        memcpy(island->highest, island->children + failed * n, n * sizeof *island->highest);
        island->spent += failed + 1;
        return false;
    }
    for (size_t k = 1; k < count; k++)
        best = values[k] > values[best] ? k : best;
    const double *child = island->children + best * n;
    const bool is_rise = values[best] > island->highest_value;
    if (is_rise)
        note_rise(island, child, values[best], computed[best], island->spent + best + 1, by[best], n);
    island->spent += count;
    island->generation++;
    const bool rises = values[best] > island->mark * (1 + 0x1p-8);
    island->stale = rises ? 0 : island->stale + 1;
    island->mark = rises ? values[best] : island->mark;
    if (values[best] >= island->value) {
        memcpy(island->parent, child, n * sizeof *child);
        island->value = values[best];
    }
    return !(is_rise && values[best] >= all->request->until);
}

static void climb_epoch(struct archipelago *all, size_t number, struct attack_judge *judge)
{
    struct island *island = &all->islands[number];
    island->spent = 0;
    island->rise_count = 0;
    island->highest_value = all->best->value;
    while (island->spent < island->quota) {
        if (island->starts == 0 || island->stale >= STALE) {
            struct dice dice = dice_of(all, island, number, JUDGED_AT_ONCE);
            begin(all, island, number, &dice);
        }
        if (!take_generation(all, island, number, judge))
            return;
    }
}

static void climb_some(void *context, unsigned worker)
{
    struct archipelago *all = context;
    for (size_t i = worker; i < ISLANDS; i += all->workers)
        climb_epoch(all, i, &all->judges[worker]);
}

/* ---- epochs ---- */

static const char *const words[BREED_CHANGES] = {
    [BREED_SIGNS] = "signs",         [BREED_EXPONENTS] = "exponents", [BREED_ORDER] = "order",
    [BREED_MANTISSAS] = "mantissas", [BREED_COPIES] = "copies",       [BREED_ZEROS] = "zeros",
    [BREED_NUMBERS] = "numbers",     [BREED_TIES] = "ties",           [BREED_LAST_ROUNDING] = "last rounding",
    [BREED_CROSSING] = "crossing",
};

/* What each may spend, were they to climb one after the other. */
static void give_quotas(struct archipelago *all, uint64_t left)
{
    const uint64_t most = (uint64_t)GENERATIONS * JUDGED_AT_ONCE;
    for (size_t i = 0; i < ISLANDS; i++) {
        struct island *island = &all->islands[i];
        island->quota = left < most ? left : most;
        left -= island->quota;
        memcpy(all->parents + i * all->breed.n, island->parent, all->breed.n * sizeof *all->parents);
    }
}

/* Counts what an island has found; false: nothing more is wanted. */
static bool gather(const struct archipelago *all, const struct island *island, struct attack_best *best,
                   enum status *status)
{
    const size_t n = all->breed.n;
    const bool has_more = island->rise_count > 0 && island->highest_value > best->value;
    if (island->status != OK) {
        memcpy(best->numbers, island->highest, n * sizeof *best->numbers);
        best->has_failed = true;
        *status = island->status;
    }
    for (size_t k = 0; k < island->rise_count && has_more && *status == OK; k++) {
        const struct rise *rise = &island->rises[k];
        if (rise->value > best->value)
            *status = attack_best_take(best, island->highest, n, rise->value, island->computed,
                                       best->calls + rise->calls, words[rise->by]);
    }
    const bool is_enough = best->value >= all->request->until;
    best->calls += is_enough && has_more ? island->rises[island->rise_count - 1].calls : island->spent;
    return *status == OK && !is_enough;
}

static enum status climb_epochs(struct archipelago *all, struct attack_best *best)
{
    enum status status = OK;
    bool goes_on = true;
    while (goes_on && best->calls < all->request->calls) {
        give_quotas(all, all->request->calls - best->calls);
        workers_run(all->workers, climb_some, all);
        for (size_t i = 0; i < ISLANDS && goes_on; i++)
            goes_on = gather(all, &all->islands[i], best, &status);
    }
    return status;
}

/* ---- room ---- */

static enum status take_room(struct archipelago *all, const struct terrain *terrain)
{
    const size_t n = all->breed.n, of_island = (JUDGED_AT_ONCE + 2) * n;
    all->room = calloc(ISLANDS * of_island + 1, sizeof *all->room);
    all->parents = malloc((ISLANDS * n + 1) * sizeof *all->parents);
    all->judges = calloc(all->workers, sizeof *all->judges);
    if (!all->room || !all->parents || !all->judges)
        return out_of_memory("the islands of an attack");
    for (size_t i = 0; i < ISLANDS; i++) {
        all->islands[i].parent = all->room + i * of_island;
        all->islands[i].highest = all->islands[i].parent + n;
        all->islands[i].children = all->islands[i].highest + n;
    }
    for (unsigned w = 0; w < all->workers; w++)
        TRY(attack_judge_make(all->request, terrain, &all->judges[w]));
    return OK;
}

static struct breed breed_of(const struct attack_request *request, const struct terrain *terrain)
{
    const struct sum_format *in = request->method->sum_format;
    return (struct breed){*in->stored, in->added->precision, in->result->precision,
                          request->n,  terrain->nodes,       terrain->node_count};
}

enum status attack_climb(const struct attack_request *request, const struct terrain *terrain,
                         const struct attack_starts *starts, struct attack_best *best)
{
    struct archipelago *all = calloc(1, sizeof *all);
    if (!all)
        return out_of_memory("the islands of an attack");
    all->request = request;
    all->starts = starts;
    all->best = best;
    all->breed = breed_of(request, terrain);
    all->dice =
        (struct generator_call){.seed = request->seed, .trial = request->trial, .family = generator_family("attack")};
    all->workers = request->workers < 1 ? 1 : request->workers < ISLANDS ? request->workers : ISLANDS;
    enum status status = take_room(all, terrain);
    if (status == OK)
        status = climb_epochs(all, best);
    for (unsigned w = 0; all->judges && w < all->workers; w++)
        attack_judge_free(&all->judges[w]);
    free(all->judges);
    free(all->parents);
    free(all->room);
    free(all);
    return status;
}
