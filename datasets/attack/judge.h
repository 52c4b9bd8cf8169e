/* What a candidate is worth: the exact error of the method on it, in its bound or in ulp.
 *
 * Candidates are doubles, numbers of the method's stored format, in the order of the terrain's ranks.  Where the method
 * can be walked, WALK_LANES of them are added at once, in the tree alone; else each is one sum that is asked for. */
#pragma once

#include "attack.h"
#include "kernels/walk.h"
#include "terrain.h"

enum { JUDGED_AT_ONCE = WALK_LANES };

struct attack_judge {
    const struct attack_request *request;
    const struct terrain *terrain;
    const struct verbs *verbs; /* NULL: the method is asked */
    struct walk walk;
    void *beside, *states; /* what the walk adds; its states */
    void *numbers;         /* one candidate as the host holds numbers: of a walk by ranks, else by elements */
};

/* What the request climbs, of a computed sum: 0 where the bound claims nothing, since something may overflow; INFINITY
 * for a result that is not finite where it claims something. */
struct short_sum;
double attack_value(const struct attack_request *request, const struct short_sum *exact, const struct moments *moments,
                    double computed);

/* A judge of its own for each worker.  NOT_MEASURED, with *judge empty, when memory is short. */
enum status attack_judge_make(const struct attack_request *request, const struct terrain *terrain,
                              struct attack_judge *judge);
void attack_judge_free(struct attack_judge *judge);

/* Stores the value of count <= JUDGED_AT_ONCE candidates, n numbers each, one after the other, and in `computed`
 * the results.  Not OK: the method failed on candidate *failed, or memory was short; INTERRUPTED: those before it are
 * judged, and it was not asked for. */
enum status attack_judge_all(struct attack_judge *judge, const double *candidates, size_t count, double *values,
                             double *computed, size_t *failed);
