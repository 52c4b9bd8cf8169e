/* How strong are these limits on these data?  Every fault (fault.h) is done to every method of the run, on the run's
 * data, and the sums are held to the same limits: a fault that passes them all is a survivor. */
#pragma once

#include "src/base/progress.h"
#include "src/gate/check.h"
#include "src/gate/data_again.h"
#include "src/gate/fault.h"
#include "src/measure/judge.h"
#include "src/results/collector.h"

/* Rows that never stood in a store become series: results in which a broken sum stands in for a method's.
 *
 *   TRY(stand_in_start(&stand_in, study, results));
 *   TRY(stand_in_take(&stand_in, &place, &data, &row));  ...       in the order of store_each()
 *   TRY(stand_in_end(&stand_in));
 *   stand_in.results.series ...
 *   stand_in_free(&stand_in);
 */

struct stand_in {
    struct results results; /* its study and facts belong to others */
    struct collector *collector;
};

/* Where the rows of a series stand: the indices of the study. */
struct row_place {
    size_t entry, spec, launch, backend, method;
};

/* What the rows of a data set share. */
struct row_data {
    uint64_t n, trial;
    const char *exact;
    double condition;
};

/* `facts`: those of these results.  Free it also after a failure. */
enum status stand_in_start(struct stand_in *stand_in, const struct study_record *study, const struct results *facts);
enum status stand_in_take(struct stand_in *stand_in, const struct row_place *place, const struct row_data *data,
                          const struct measured *row);
enum status stand_in_end(struct stand_in *stand_in);
void stand_in_free(struct stand_in *stand_in);

enum fate {
    FATE_KILLED,
    FATE_SURVIVED,   /* with other bits than the method's own */
    FATE_UNSEEN,     /* it gives the method's own bits on all of these data: a survivor as well */
    FATE_NOT_JUDGED, /* the method itself fails these limits on all data that a rule is about, or no rule is about it */
    FATES
};
extern const char *const fate_words[FATES];

struct broken_sum {
    const struct fault *fault;
    const char *method; /* "kahan/tree_two_pass" */
    enum fate fate;
    const struct rule *killer;      /* the first rule that it fails; or NULL */
    uint64_t killed_series, series; /* of those that it was done to: not of long data, where shorter ones killed it */
};

struct vacuity {
    struct broken_sum *sums; /* by fault, then method */
    size_t count;
    size_t by[FATES];
};

/* `check` as check_make() made it of the run itself.  Free it also after a failure. */
enum status vacuity_run(const struct check *check, unsigned workers, bool quiet, struct vacuity *vacuity);
/* Whether the limits are sharp: no fault survives, and at least one was held to them. */
bool vacuity_passes(const struct vacuity *vacuity);
void vacuity_free(struct vacuity *vacuity);

/* The series of one data spec of a run, with every fault in turn: what a run of such sums would have measured. */

/* All faults done to the methods of a run, on some of its data sets: the rows that a run of such sums would have. */

/* Which faults are done to which methods of the study. */
struct broken_plan {
    bool *is_done; /* by fault and method */
    size_t fault_count, method_count;
};

bool broken_plan_has(const struct broken_plan *plan, size_t fault, size_t method);

/* A method with a launch, whose sums are broken. */
struct broken_slot {
    const struct method *method;
    struct launch launch;
    size_t launch_index, method_index; /* of the study */
};

/* The work: every slot with every fault of the plan, on every data set. */
struct broken_batch {
    /* Given. */
    const struct broken_plan *plan;
    struct again *again;
    const struct summed_data *data;
    size_t data_count;
    const struct broken_slot *slots;
    size_t slot_count;
    unsigned workers;

    /* Found. */
    struct exact_sum *exact; /* by data set */
    struct measured *rows;   /* see broken_row() */

    struct dataset *made; /* while it is at work */
    char (*whys)[WHY_SIZE];
};

/* BAD_INPUT, with the reason in `why`, when the data are no longer those of the run.  Free it also after a failure. */
enum status broken_batch_run(struct broken_batch *batch, char why[WHY_SIZE]);
void broken_batch_free(struct broken_batch *batch);

/* The row of a fault, by its index in the table; plan->fault_count: of the method as it should be. */
struct measured *broken_row(const struct broken_batch *batch, size_t data, size_t slot, size_t fault);

struct broken_spec {
    /* Given. */
    const struct results *results;
    const struct run_rows *rows;
    const struct broken_plan *plan;
    size_t first_series, series_count; /* of the results: those of the spec */
    const struct summed_data *data;    /* those of the spec */
    size_t data_count;
    unsigned workers;
    struct progress *progress;
    uint64_t done; /* data sets before these */

    /* Found. */
    struct stand_in *stand_ins; /* by fault: series in the order of the run, but those that are left alone */
    bool *differs;              /* by fault and series: the bits of some sum differ from the method's own */

    /* While it is at work. */
    struct again again;
    struct broken_slot *slots;
    size_t slot_count;
    size_t *slot_of; /* each series; SIZE_MAX: it is left alone */
    struct broken_batch batch;
};

/* BAD_INPUT, with the reason in `why`, when the data are no longer those of the run.  Free it also after a failure. */
enum status broken_spec_run(struct broken_spec *spec, char why[WHY_SIZE]);
void broken_spec_free(struct broken_spec *spec);

/* Likewise, of a spec whose stand-ins are there, where there is a result for each number. */
enum status broken_rows_run(struct broken_spec *spec, char why[WHY_SIZE]);

/* Whether a fault is done to a series. */
bool broken_spec_has(const struct broken_spec *spec, size_t fault, size_t series);
