/* Islands on the host: each worker climbs an epoch of one after the other. */
#include "archipelago.h"

#include "src/base/workers.h"

/* Of an island: n numbers, JUDGED_AT_ONCE times n, n. */
struct place {
    double *parent, *children, *highest;
};

struct host {
    struct archipelago *all;
    double *room, *parents; /* all numbers of islands; the parents when the epoch began, which crossing takes from */
    struct place *places;
    struct attack_judge *judges;
};

static void take_generation(const struct host *host, size_t number, struct attack_judge *judge)
{
    const struct archipelago *all = host->all;
    struct island *island = &all->islands[number];
    const struct place *place = &host->places[number];
    const size_t n = all->breed.n;
    struct litter litter = {.count = island_children(island)};
    size_t failed = 0;
    for (size_t k = 0; k < litter.count; k++) {
        struct dice dice = breed_dice(&all->dice, island->generation, all->count, number, JUDGED_AT_ONCE, k);
        const double *other = host->parents + dice_below(&dice, all->count) * n;
        litter.by[k] = breed_child(&all->breed, &dice, place->parent, other, place->children + k * n);
    }
    island->status = attack_judge_all(judge, place->children, litter.count, litter.values, litter.computed, &failed);
    if (island->status == INTERRUPTED && all->request->onlooker) {
        island->status = OK;
        island->is_ended = true;
        litter.count = failed;
    }
    if (litter.count == 0)
        return;
    if (island->status != OK) {
        memcpy(place->highest, place->children + failed * n, n * sizeof *place->highest);
        island->spent += failed + 1;
        return;
    }
    const struct choice choice = island_take(all, island, &litter);
    if (choice.highest != NO_CHILD)
        memcpy(place->highest, place->children + choice.highest * n, n * sizeof *place->highest);
    if (choice.parent != NO_CHILD)
        memcpy(place->parent, place->children + choice.parent * n, n * sizeof *place->parent);
}

static void climb_some(void *context, unsigned worker)
{
    const struct host *host = context;
    const struct archipelago *all = host->all;
    for (size_t i = worker; i < all->count; i += all->workers) {
        struct island *island = &all->islands[i];
        while (island_children(island) > 0) {
            if (island_begins(island))
                island_begin(all, i, host->places[i].parent);
            take_generation(host, i, &host->judges[worker]);
        }
    }
}

void host_climb_epoch(struct host *host)
{
    const size_t n = host->all->breed.n;
    for (size_t i = 0; i < host->all->count; i++)
        memcpy(host->parents + i * n, host->places[i].parent, n * sizeof *host->parents);
    workers_run(host->all->workers, climb_some, host);
}

const double *host_highest(const struct host *host, size_t number)
{
    return host->places[number].highest;
}

void host_free(struct host *host)
{
    for (unsigned w = 0; host && host->judges && w < host->all->workers; w++)
        attack_judge_free(&host->judges[w]);
    if (host)
        free_all(host->judges, host->parents, host->places, host->room);
    free(host);
}

static enum status take_room(struct host *host)
{
    const struct archipelago *all = host->all;
    const size_t n = all->breed.n, of_island = (JUDGED_AT_ONCE + 2) * n;
    host->room = calloc(all->count * of_island + 1, sizeof *host->room);
    host->parents = malloc((all->count * n + 1) * sizeof *host->parents);
    host->places = malloc(all->count * sizeof *host->places);
    host->judges = calloc(all->workers, sizeof *host->judges);
    TRY(host->room && host->parents && host->places && host->judges ? OK : out_of_memory("the islands of an attack"));
    for (size_t i = 0; i < all->count; i++) {
        double *const first = host->room + i * of_island;
        host->places[i] = (struct place){first, first + 2 * n, first + n};
    }
    for (unsigned w = 0; w < all->workers; w++)
        TRY(attack_judge_make(all->request, all->terrain, &host->judges[w]));
    return OK;
}

enum status host_make(struct archipelago *all, struct host **host)
{
    *host = calloc(1, sizeof **host);
    TRY(*host ? OK : out_of_memory("the islands of an attack"));
    (*host)->all = all;
    return take_room(*host);
}
