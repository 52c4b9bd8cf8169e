/* A failing series that is being diagnosed, and what is said of it in the end. */
#pragma once

#include "hypothesis.h"
#include "src/gate/data_again.h"

struct suspect {
    size_t series; /* of the results */
    uint64_t n;
    struct claimed_method claimed;
    bool breaks_theorem; /* a sum is above its proven bound, or wrongly no number */
    bool has_changed;    /* it is held to a baseline, and its bits or errors differ */
    const struct series_rows *rows;
    size_t *first_row;       /* of each data set of the group, and the end */
    struct hypothesis sound; /* the method itself */
    uint64_t *sound_sums;    /* bits, by data set */
    bool *differs;           /* likewise: the method itself */
    size_t *order;           /* of data sets: those on which the method itself differs come first */
    size_t taken, differing; /* data sets that are compared; of these, on which the method itself differs */
    size_t reach;            /* of `taken`: as far as the budget goes */
    uint64_t budget;         /* additions that are left to it */
    struct hypotheses nearby, distant;
    size_t untried;   /* hypotheses */
    bool searched;    /* for elements: `distant` has all that may be it */
    bool is_constant; /* see settle_as_constant */
    char *cause;      /* not NULL: it is settled */
};

/* The failing series of one data spec, and its data sets. */
struct group {
    struct again again;
    const struct summed_data *data;
    size_t data_count;
    struct suspect *suspects;
    size_t suspect_count;
};

void suspect_free(struct suspect *suspect);

#define BY_BITS "bit for bit"

/* These set the cause.  Of `others` in a list that fit as well some are named. */
enum { CAUSES_MOST = 3 };
void settle_undiagnosed(struct suspect *suspect, const char *why);
void settle_as_sound(struct suspect *suspect);
void settle_as(struct suspect *suspect, const struct hypothesis *hypothesis, const struct hypotheses *list,
               size_t others);
void settle_as_own(struct suspect *suspect, const struct hypothesis *fault, size_t others);
void settle_as_none(struct suspect *suspect);

/* As the simplest of those that fit all, if there is one. */
void settle_if_found(struct suspect *suspect, const struct hypotheses *hypotheses);

/* A black box whose sums are all one number; fault: NULL, or the one of the nearby that has no other sums. */
void settle_as_constant(struct suspect *suspect, const struct hypothesis *fault);

/* The first that fits all, of a black box the simplest; NULL: none does. */
const struct hypothesis *simplest_of(const struct hypotheses *hypotheses);

/* Hypotheses of suspects are dropped one after another: on one data set, one more, two, four ..., the living ones only,
 * so that many hypotheses cost hardly more than many sums.
 */

/* What misses one in so many rows is reported, where nothing fits all; what misses more is dropped. */
enum { LIKE_ONE_IN = 10 };

/* Which of a suspect's lists. */
typedef struct hypotheses *list_of_suspect(struct suspect *suspect);

/* Compares the hypotheses of the list with the rows, until they are through, dropped, or beyond the budget. */
enum status eliminate(struct group *group, list_of_suspect *list_of, unsigned workers);

/* Series diagnosed, whoever wants to know: a check of those that fail (diagnosis.h), a run of its black boxes
 * (black_boxes.h). */

struct wanted_series {
    const bool *list;        /* by series of the results */
    const bool *has_changed; /* likewise: whether it is held to a baseline, and is another; NULL: none is */
};

/* Calls tell() with each wanted series, in their order, when all have a cause; with no more than `additions`, of all
 * together. */
typedef void suspect_visitor(void *context, const struct suspect *suspect);
enum status diagnose_series(const struct wanted_series *wanted, const struct results *results, uint64_t additions,
                            unsigned workers, suspect_visitor *tell, void *context);

/* Sums for a diagnosis: hypotheses on data sets, spread over threads.
 *
 *   round_add(&round, suspect, hypothesis, data);  ...
 *   TRY(round_run(&round, why));
 *   round.jobs[i].bits ...
 *   round_free(&round);
 */

/* One hypothesis on one data set. */
struct job {
    struct suspect *suspect;
    struct hypothesis *hypothesis;
    size_t data;                /* of the group */
    size_t rows;                /* the data set whose rows are compared; but for TRIAL_BEFORE `data` */
    uint64_t bits;              /* of its sum */
    uint64_t compared, fitting; /* rows: all, and those that have its bits */
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
void round_note(const struct round *round); /* how many rows had the bits of its hypotheses */
void round_free(struct round *round);
