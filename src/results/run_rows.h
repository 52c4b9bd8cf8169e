/* The bits of a run in memory: its data sets, and what each series made of them.  Comparisons hold two runs against
 * each other by them, diagnosis hypotheses. */
#pragma once

#include "src/results/results.h"

/* A data set that was summed; of a matrix product one for each element that is kept.  Where there is a result for each
 * number i is that of the first row, whose exact value it is. */
struct summed_data {
    size_t entry, spec; /* of the study */
    uint64_t trial;
    uint64_t i, j; /* of a matrix product: the row of A and the column of B whose dot product it is */
    char *exact;   /* s in full, a hex-float */
};

struct row_bits {
    size_t data;      /* of run_rows.data */
    uint64_t element; /* of a result for each number: which; else 0 */
    uint64_t repeat;
    uint64_t bits; /* every NaN is UINT64_MAX */
};

/* The rows of one series, by data set and repeat, and where it stands: the indices of the study. */
struct series_rows {
    size_t entry, spec, launch, backend, method;
    struct row_bits *rows;
    size_t count, capacity;
};

struct run_rows {
    struct summed_data *data; /* in the order of the run */
    size_t data_count;
    struct series_rows *series; /* as results->series; without rows where they were not wanted */
    size_t series_count;
};

/* `wanted`: by series; NULL: all.  Data sets of which no rows are wanted are left out.  Free it also after a failure.
 */
enum status run_rows_read(const struct results *results, const bool *wanted, struct run_rows *rows);
void run_rows_free(struct run_rows *rows);

/* The first row of a series that is of this data set or a later one; rows->count: none. */
size_t run_rows_first(const struct series_rows *rows, size_t data);

/* The data sets of the spec that a series is of, which are neighbours. */
const struct summed_data *run_rows_data(const struct run_rows *rows, const struct series_rows *series, size_t *count);
