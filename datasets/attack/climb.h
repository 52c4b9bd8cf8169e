/* The search: islands, each of which climbs from numbers of its own; now and then they learn from each other.
 *
 * A generation of an island is up to JUDGED_AT_ONCE children of its one parent (breed.h); the best of them is the next
 * parent where it is no worse.  An island that has not risen for long begins again.  Islands are climbed one epoch
 * each, by any number of workers, and count as if one had followed the other. */
#pragma once

#include "judge.h"

/* What has been found so far, of all islands. */
struct attack_best {
    double *numbers; /* n, by ranks */
    double value, computed;
    uint64_t calls;  /* spent */
    bool has_failed; /* the method did, on `numbers` */
    struct attack_step *steps;
    size_t step_count, step_room;
};

/* Takes numbers that are better; `by` is copied. */
enum status attack_best_take(struct attack_best *best, const double *numbers, uint64_t n, double value, double computed,
                             uint64_t calls, const char *by);

/* Where islands begin: `count` times n numbers, the best first. */
struct attack_starts {
    double *numbers, *values;
    size_t count;
};

/* Spends what is left of request->calls, unless request->until is reached.  Not OK: memory was short, or the method
 * failed, on best->numbers. */
enum status attack_climb(const struct attack_request *request, const struct terrain *terrain,
                         const struct attack_starts *starts, struct attack_best *best);
