/* The data of a run, made again and held against what was summed then. */
#pragma once

#include "datasets/dataset.h"
#include "src/results/run_rows.h"

enum { WHY_SIZE = 512 };

/* A data spec of the run. */
struct again {
    const struct study_record *study;
    struct data_spec *specs;
    size_t count;
};

/* BAD_INPUT with the reason in `why`, "cannot read x.csv: No such file or directory"; free it also then. */
enum status again_open(const struct study_record *study, size_t entry, size_t spec, struct again *again,
                       char why[WHY_SIZE]);
void again_free(struct again *again);

/* The numbers alone.  BAD_INPUT as above.  Any thread may ask. */
enum status again_make(const struct again *again, const struct summed_data *then, struct dataset *data,
                       char why[WHY_SIZE]);

/* Their exact sum, which must be that of the run.  BAD_INPUT when it is not; then *exact is all 0, and there is
 * nothing to free. */
enum status again_sum(const struct again *again, const struct summed_data *then, const struct dataset *data,
                      struct exact_sum *exact, char why[WHY_SIZE]);
