/* Sums for a diagnosis: hypotheses on data sets, spread over threads.
 *
 *   round_add(&round, suspect, hypothesis, data);  ...
 *   TRY(round_run(&round, why));
 *   round.jobs[i].bits ...
 *   round_free(&round);
 */
#pragma once

#include "suspect.h"

/* One hypothesis on one data set. */
struct job {
    struct suspect *suspect;
    struct hypothesis *hypothesis;
    size_t data;   /* of the group */
    size_t rows;   /* the data set whose rows are compared; but for TRIAL_BEFORE `data` */
    uint64_t bits; /* of its sum */
};

struct round {
    struct group *group;
    unsigned workers;
    bool verifies; /* that the exact sums are those of the run */
    struct job *jobs;
    size_t count, capacity;
};

/* Trials that threads may have asked out of turn. */
enum { AROUND = 4 };

/* On a data set, or of TRIAL_BEFORE on the one before; the first has none, and of FROM_ANOTHER one of the first few
 * starts from nothing that is known: nothing is added. */
enum status round_add(struct round *round, struct suspect *suspect, struct hypothesis *hypothesis, size_t data);

/* Makes each data set once, and all sums of it.  BAD_INPUT, with the reason in `why`, when the data are gone. */
enum status round_run(struct round *round, char why[WHY_SIZE]);
void round_free(struct round *round);
