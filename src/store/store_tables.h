/* The tables of run.db. */
#ifndef ULPSCOPE_STORE_TABLES_H
#define ULPSCOPE_STORE_TABLES_H

#include "src/measure/row.h"

/* The statements that make them. */
extern const char store_tables[];

/* The columns of the table `results`, in order. */
enum column {
    CASE_INDEX,
    LAUNCH_INDEX,
    BACKEND_INDEX,
    METHOD_INDEX,
    REPEAT,
    ELEMENT_I,
    ELEMENT_J,
    ENTRY,
    SPEC,
    METHOD,
    DATA,
    N,
    FORMAT,
    OPERATION,
    SEED,
    TRIAL,
    BACKEND,
    DEVICE,
    BLOCKS,
    THREADS,
    COMPUTED,
    COMPUTED_BITS,
    EXACT,
    NEAREST_BITS,
    FIRST_METRIC,
    CONDITION = FIRST_METRIC + METRICS,
    BOUND,
    CLASS,
    HEIGHT,
    PROBABILISTIC_BOUND,
    WEIGHT,
    DIGEST,
    MAP,
    FIRST_MEAN,
    COLUMNS = FIRST_MEAN + METRICS,
};

/* A table: how it is read, and what its columns hold, a letter each: i an integer, t a text, r a number, n a number or
 * NULL, which is NaN. */
struct table {
    const char *rows, *types;
};

/* All but `cases`, `results` and `seal`. */
enum { SMALL_TABLES = 8 };
extern const struct table store_small_tables[SMALL_TABLES];
extern const struct table store_results;

#endif
