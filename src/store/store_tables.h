/* The tables of run.db.
 *
 *   cases      what the rows of a case share, and their seal
 *   measured   a row each: its numbers, and where it stands in the study
 *   elements   what few rows have besides, those of matrix products: the element, an exact sum of its own, a map
 *   results    a view of these with the names that go with them, the columns of results.csv: for people.  No view is
 *              believed that somebody gives us (store_guard), so that ulpscope itself reads the tables alone
 */
#pragma once

#include "src/measure/row.h"

/* The statements that make them. */
extern const char store_tables[];

/* `id` of a row: its case, and its position among the rows of that case in the order launch, backend, method, repeat,
 * i, j.  One number is shorter than a key of seven, and quicker to be compared. */
enum { POSITION_BITS = 24 };

static inline uint64_t row_id(uint64_t case_index, uint64_t position)
{
    return case_index << POSITION_BITS | position;
}

/* The columns of the table `measured`, in order. */
enum column {
    ROW_ID,
    LAUNCH_INDEX,
    BACKEND_INDEX,
    METHOD_INDEX,
    REPEAT,
    WEIGHT,
    COMPUTED,
    COMPUTED_BITS,
    NEAREST_BITS,
    FIRST_METRIC,
    BOUND = FIRST_METRIC + METRICS,
    PROBABLE_BOUND,
    HEIGHT,
    CLASS,
    COLUMNS,
};

/* Those of the table `elements`.  A row that has none is of no element, and has no more than its case. */
enum element_column {
    ELEMENT_ROW_ID,
    ELEMENT_I,
    ELEMENT_J,
    EXACT, /* and CONDITION: NULL where they are those of the case */
    CONDITION,
    DIGEST,
    MAP,
    FIRST_MEAN,
    ELEMENT_COLUMNS = FIRST_MEAN + METRICS,
};

/* Those of the table `cases`; behind the sealed ones stands the seal. */
enum case_column {
    CASE_INDEX,
    CASE_ENTRY,
    CASE_SPEC,
    CASE_TRIAL,
    CASE_N,
    CASE_EXACT,
    CASE_CONDITION,
    CASE_IS_FINISHED,
    CASE_ROWS,
    CASE_SEALED,
    CASE_SEAL = CASE_SEALED,
};

/* A table: how it is read, and what its columns hold, a letter each: i an integer, t a text, m a text or NULL, r a
 * number, n a number or NULL, which is NaN. */
struct table {
    const char *rows, *types;
};

/* All but `cases`, `measured`, `elements` and `seal`. */
enum { SMALL_TABLES = 10 };
extern const struct table store_small_tables[SMALL_TABLES];
extern const struct table store_cases, store_measured, store_elements; /* of cases those that are sealed */
