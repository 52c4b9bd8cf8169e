/* What climb.c, climb_host.c and climb_machine.c share: islands, and what becomes of their generations.  Where the
 * numbers of islands lie is the business of the latter two. */
#pragma once

#include "breed_kernel.h"
#include "climb.h"

enum {
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
    double value, highest_value, computed; /* of the parent; of the highest */
    double mark;                           /* the value when it last rose by more than a little */
    uint64_t stale, generation, starts;    /* generations since then; all; how often it has begun */
    uint64_t quota, spent;                 /* calls of this epoch */
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
};

/* The children of one island's generation. */
struct litter {
    size_t count;
    double values[JUDGED_AT_ONCE], computed[JUDGED_AT_ONCE];
    enum breed_change by[JUDGED_AT_ONCE];
};

/* Whether the island begins, again, before its next generation; then the numbers are its parent. */
bool island_begins(const struct island *island);
void island_begin(const struct archipelago *all, size_t number, double *numbers);

/* The next generation; no children: the epoch is over. */
struct breed_brood island_brood(const struct island *island);

/* What becomes of it: the next parent, and the highest. */
struct breed_choice island_take(const struct archipelago *all, struct island *island, const struct litter *litter);

/* A way to climb one epoch, of all islands. */
struct climber {
    void *context;
    enum status (*epoch)(void *context);

    /* The numbers of an island that has risen, or has failed. */
    enum status (*highest)(void *context, size_t number, double *numbers);
    void (*free)(void *context);
};

/* NOT_MEASURED when memory is short. */
enum status climb_on_host(struct archipelago *all, struct climber *climber);
enum status climb_on_machine(struct archipelago *all, struct climber *climber);
