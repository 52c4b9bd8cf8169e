#include "climb.h"

#include "breed.h"
#include "src/base/list.h"
#include "src/base/workers.h"

enum {
    ISLANDS = 8,
    STALE = 256,      /* generations without a rise to speak of: an island begins again */
    GENERATIONS = 64, /* of an epoch */
    RISES_MOST = GENERATIONS,
};

/* A value above all that was known when the epoch began. */
struct rise {
    uint64_t calls; /* of the epoch, this one included */
    double value;
    enum breed_change by;
};

struct island {
    double *parent, *children, *highest_numbers; /* n, JUDGED_AT_ONCE times n, n */
    double value, highest_value, computed;       /* of the parent; of the highest */
    double mark;                                 /* the value when it last rose by more than a little */
    uint64_t stale, generation, starts;          /* generations since then; all; how often it has begun */
    uint64_t quota, spent;                       /* calls of this epoch */
    struct rise rises[RISES_MOST];
    size_t rise_count;
    bool is_enough;     /* request->until was reached */
    bool is_ended;      /* by an onlooker, in the middle of an epoch */
    enum status status; /* not OK: the method failed, on the highest */
};

struct archipelago {
    const struct attack_request *request;
    const struct terrain *terrain;
    const struct attack_starts *starts;
    struct breed breed;
    struct generator_call dice; /* seed and stream */
    struct island *islands;
    size_t count;
    const struct attack_best *best;
    unsigned workers;
    double *room, *parents; /* all numbers of islands; the parents when the epoch began, which crossing takes from */
    struct attack_judge *judges;
};

/* The children of one island's generation. */
struct litter {
    size_t count;
    double values[JUDGED_AT_ONCE], computed[JUDGED_AT_ONCE];
    enum breed_change by[JUDGED_AT_ONCE];
};

enum status attack_best_take(struct attack_best *best, const double *numbers, uint64_t n, double value, double computed,
                             uint64_t calls, const char *by)
{
    struct attack_step *steps = list_with_room(best->steps, best->step_count, &best->step_room, sizeof *steps);
    TRY(steps ? OK : out_of_memory("the curve of an attack"));
    best->steps = steps;
    steps[best->step_count++] = (struct attack_step){calls, value, memory_copy(by)};
    memcpy(best->numbers, numbers, n * sizeof *numbers);
    best->value = value;
    best->computed = computed;
    return OK;
}

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

/* Again, before its next generation. */
static bool island_begins(const struct island *island)
{
    return island->starts == 0 || island->stale >= STALE;
}

/* The first island begins with the best that is known, others with others; the second time a start is by chance, or one
 * of the best again. */
static void island_begin(const struct archipelago *all, size_t number)
{
    struct island *island = &all->islands[number];
    struct dice dice = breed_dice(&all->dice, island->generation, all->count, number, JUDGED_AT_ONCE, JUDGED_AT_ONCE);
    const struct attack_starts *starts = all->starts;
    const size_t n = all->breed.n;
    double *const numbers = island->parent;
    island->value = 0;
    island->stale = 0;
    if (island->starts++ == 0 && number < starts->count) {
        memcpy(numbers, starts->numbers + number * n, n * sizeof *numbers);
        island->value = starts->values[number];
    } else if (number == 0 || dice_below(&dice, 4) == 0) {
        memcpy(numbers, all->best->numbers, n * sizeof *numbers);
        island->value = all->best->value;
    } else if (starts->count > 0 && dice_below(&dice, 2)) {
        const size_t start = dice_below(&dice, starts->count);
        memcpy(numbers, starts->numbers + start * n, n * sizeof *numbers);
        island->value = starts->values[start];
    } else {
        make_random(all, &dice, numbers);
    }
    island->mark = island->value;
}

/* Of the next generation; none: the epoch is over. */
static size_t island_children(const struct island *island)
{
    const bool is_over = island->is_enough || island->is_ended || island->status != OK;
    const uint64_t left = is_over ? 0 : island->quota - island->spent;
    return left < JUDGED_AT_ONCE ? left : JUDGED_AT_ONCE;
}

static void island_take(const struct archipelago *all, struct island *island, const struct litter *litter)
{
    const size_t n = all->breed.n;
    size_t best = 0;
    for (size_t k = 1; k < litter->count; k++)
        best = litter->values[k] > litter->values[best] ? k : best;
    const double value = litter->values[best], *const numbers = island->children + best * n;
    if (value > island->highest_value) {
        memcpy(island->highest_numbers, numbers, n * sizeof *numbers);
        island->highest_value = value;
        island->computed = litter->computed[best];
        island->rises[island->rise_count++] = (struct rise){island->spent + best + 1, value, litter->by[best]};
        island->is_enough = value >= all->request->until;
    }
    island->spent += litter->count;
    island->generation++;
    const bool rises = value > island->mark * (1 + 0x1p-8);
    island->stale = rises ? 0 : island->stale + 1;
    island->mark = rises ? value : island->mark;
    if (value >= island->value) {
        memcpy(island->parent, numbers, n * sizeof *numbers);
        island->value = value;
    }
}

static void take_generation(const struct archipelago *all, size_t number, struct attack_judge *judge)
{
    struct island *island = &all->islands[number];
    const size_t n = all->breed.n;
    struct litter litter = {.count = island_children(island)};
    size_t failed = 0;
    for (size_t k = 0; k < litter.count; k++) {
        struct dice dice = breed_dice(&all->dice, island->generation, all->count, number, JUDGED_AT_ONCE, k);
        const double *other = all->parents + dice_below(&dice, all->count) * n;
        litter.by[k] = breed_child(&all->breed, &dice, island->parent, other, island->children + k * n);
    }
    island->status = attack_judge_all(judge, island->children, litter.count, litter.values, litter.computed, &failed);
    if (island->status == INTERRUPTED && all->request->onlooker) {
        island->status = OK;
        island->is_ended = true;
        litter.count = failed;
    }
    if (litter.count == 0)
        return;
    if (island->status != OK) {
        memcpy(island->highest_numbers, island->children + failed * n, n * sizeof *island->children);
        island->spent += failed + 1;
        return;
    }
    island_take(all, island, &litter);
}

/* Each worker climbs an epoch of one island after the other. */
static void climb_some(void *context, unsigned worker)
{
    const struct archipelago *all = context;
    for (size_t i = worker; i < all->count; i += all->workers)
        while (island_children(&all->islands[i]) > 0) {
            if (island_begins(&all->islands[i]))
                island_begin(all, i);
            take_generation(all, i, &all->judges[worker]);
        }
}

static const char *const words[BREED_CHANGES] = {
    [BREED_SIGNS] = "signs",         [BREED_EXPONENTS] = "exponents", [BREED_ORDER] = "order",
    [BREED_MANTISSAS] = "mantissas", [BREED_COPIES] = "copies",       [BREED_ZEROS] = "zeros",
    [BREED_NUMBERS] = "numbers",     [BREED_TIES] = "ties",           [BREED_LAST_ROUNDING] = "last rounding",
    [BREED_CROSSING] = "crossing",
};

/* What each may spend, were they to climb one after the other. */
static void begin_epoch(struct archipelago *all, uint64_t left)
{
    const uint64_t most = (uint64_t)GENERATIONS * JUDGED_AT_ONCE;
    for (size_t i = 0; i < all->count; i++) {
        struct island *island = &all->islands[i];
        island->quota = left < most ? left : most;
        left -= island->quota;
        memcpy(all->parents + i * all->breed.n, island->parent, all->breed.n * sizeof *island->parent);
        island->spent = 0;
        island->rise_count = 0;
        island->highest_value = all->best->value;
    }
}

/* Counts what an island has found. */
static enum status gather(const struct archipelago *all, const struct island *island, struct attack_best *best)
{
    const double *const numbers = island->highest_numbers;
    const bool has_more = island->status == OK && island->rise_count > 0 && island->highest_value > best->value;
    for (size_t k = 0; k < island->rise_count && has_more; k++) {
        const struct rise *rise = &island->rises[k];
        if (rise->value > best->value)
            TRY(attack_best_take(best, numbers, all->breed.n, rise->value, island->computed, best->calls + rise->calls,
                                 words[rise->by]));
    }
    const bool is_enough = best->value >= all->request->until;
    best->calls += is_enough && has_more ? island->rises[island->rise_count - 1].calls : island->spent;
    if (island->status != OK) {
        memcpy(best->numbers, numbers, all->breed.n * sizeof *best->numbers);
        best->has_failed = island->status != INTERRUPTED;
    }
    return island->status;
}

/* Of an epoch that was ended what one worker would have done: islands up to the first that did not come to its end. */
static enum status gather_all(const struct archipelago *all, struct attack_best *best)
{
    for (size_t i = 0; i < all->count && best->value < all->request->until; i++) {
        const struct island *island = &all->islands[i];
        TRY(gather(all, island, best));
        if (island->is_ended)
            return OK;
    }
    return OK;
}

static enum status climb_epochs(struct archipelago *all, struct attack_best *best)
{
    const uint64_t end = attack_end(all->request);
    while (best->calls < end && best->value < all->request->until && onlooker_goes_on(all->request->onlooker, 0)) {
        begin_epoch(all, end - best->calls);
        workers_run(all->workers, climb_some, all);
        TRY(gather_all(all, best));
    }
    return OK;
}

static struct breed breed_of(const struct attack_request *request, const struct terrain *terrain)
{
    const struct sum_format *in = request->method->sum_format;
    return (struct breed){*in->stored, in->added->precision, in->result->precision,
                          request->n,  terrain->nodes,       terrain->node_count};
}

static enum status take_room(struct archipelago *all)
{
    const size_t n = all->breed.n, of_island = (JUDGED_AT_ONCE + 2) * n;
    all->islands = calloc(all->count, sizeof *all->islands);
    all->room = calloc(all->count * of_island + 1, sizeof *all->room);
    all->parents = malloc((all->count * n + 1) * sizeof *all->parents);
    all->judges = calloc(all->workers, sizeof *all->judges);
    TRY(all->islands && all->room && all->parents && all->judges ? OK : out_of_memory("the islands of an attack"));
    for (size_t i = 0; i < all->count; i++) {
        struct island *island = &all->islands[i];
        island->parent = all->room + i * of_island;
        island->highest_numbers = island->parent + n;
        island->children = island->parent + 2 * n;
    }
    for (unsigned w = 0; w < all->workers; w++)
        TRY(attack_judge_make(all->request, all->terrain, &all->judges[w]));
    return OK;
}

enum status attack_climb(const struct attack_request *request, const struct terrain *terrain,
                         const struct attack_starts *starts, struct attack_best *best)
{
    struct archipelago all = {
        .request = request,
        .terrain = terrain,
        .starts = starts,
        .breed = breed_of(request, terrain),
        .dice = {.seed = request->seed, .trial = request->trial, .family = generator_family("attack")},
        .count = ISLANDS,
        .best = best,
    };
    all.workers = request->workers < 1 || request->method->ask ? 1 /* what is asked is asked one by one */
                  : request->workers < all.count               ? request->workers
                                                               : (unsigned)all.count;
    enum status status = take_room(&all);
    if (status == OK)
        status = climb_epochs(&all, best);
    for (unsigned w = 0; all.judges && w < all.workers; w++)
        attack_judge_free(&all.judges[w]);
    free_all(all.judges, all.parents, all.room, all.islands);
    return status;
}
