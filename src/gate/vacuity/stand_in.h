/* Rows that never stood in a store become series: results in which a broken sum stands in for a method's.
 *
 *   TRY(stand_in_start(&stand_in, study, results));
 *   TRY(stand_in_take(&stand_in, &place, &data, &row));  ...       in the order of store_each()
 *   TRY(stand_in_end(&stand_in));
 *   stand_in.results.series ...
 *   stand_in_free(&stand_in);
 */
#pragma once

#include "src/measure/judge.h"
#include "src/results/collector.h"

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

struct row_data row_data_of(const struct exact_sum *exact, const char *text, uint64_t trial);

/* `facts`: those of these results.  Free it also after a failure. */
enum status stand_in_start(struct stand_in *stand_in, const struct study_record *study, const struct results *facts);
enum status stand_in_take(struct stand_in *stand_in, const struct row_place *place, const struct row_data *data,
                          const struct measured *row);
enum status stand_in_end(struct stand_in *stand_in);
void stand_in_free(struct stand_in *stand_in);
