/* The series of one data spec of a run, with every fault in turn: what a run of such sums would have measured. */
#pragma once

#include "src/base/progress.h"
#include "src/gate/data_again.h"
#include "src/gate/fault.h"
#include "src/gate/run_rows.h"
#include "src/measure/judge.h"
#include "stand_in.h"

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
    const struct again *again;
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
    bool *differs;              /* by fault and series: some sum has other bits than the method's own */

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

/* Whether a fault is done to a series. */
bool broken_spec_has(const struct broken_spec *spec, size_t fault, size_t series);
