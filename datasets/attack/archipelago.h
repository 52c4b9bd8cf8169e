/* What climb.c and climb_host.c share: islands, and what becomes of their generations.  Where their numbers lie is the
 * business of the latter. */
#pragma once

#include "breed.h"
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

/* Children of the next generation; none: the epoch is over. */
size_t island_children(const struct island *island);

/* What becomes of it: the child that is the next parent, and the one that is the highest; NO_CHILD: as before. */
enum { NO_CHILD = JUDGED_AT_ONCE };
struct choice {
    size_t parent, highest;
};
struct choice island_take(const struct archipelago *all, struct island *island, const struct litter *litter);

/* Their numbers on the host.  NOT_MEASURED when memory is short; free it also then. */
struct host;
enum status host_make(struct archipelago *all, struct host **host);
void host_climb_epoch(struct host *host);
/* The numbers of an island that has risen, or has failed. */
const double *host_highest(const struct host *host, size_t number);
void host_free(struct host *host);
