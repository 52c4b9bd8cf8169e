/* The series of one data spec of a run, with every fault in turn: what a run of such sums would have measured. */
#pragma once

#include "broken_sums.h"
#include "src/base/progress.h"
#include "src/gate/run_rows.h"
#include "stand_in.h"

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
