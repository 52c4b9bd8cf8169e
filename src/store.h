/* The store of a run, a SQLite file: run.db.  Every finished case is one transaction, so that a killed run resumes.
 *
 *   sqlite3 out/run.db "select method, max(ulp_error) from results group by method"
 */
#ifndef ULPSCOPE_STORE_H
#define ULPSCOPE_STORE_H

#include "results.h"

enum store_mode {
    STORE_NEW,       /* refuses a folder that holds a run */
    STORE_RESUME,    /* continues the run there, which must be of the same study; a new one if there is none */
    STORE_OVERWRITE, /* removes the run there */
};

/* A measured row: what `struct result` does not take from the study. */
struct measured {
    size_t launch, method; /* indices in the study */
    bool on_device;
    uint64_t repeat;
    double computed;
    uint32_t computed_bits;
    double metrics[METRICS];
    double bound;
    enum result_class class;
};

/* A measured case: what all its rows share, and the rows. */
struct finished_case {
    uint64_t index;
    bool unfinished;  /* something failed: there are fewer rows than the study asks for */
    bool device_lost; /* no other case can be measured either */
    uint64_t n;
    const char *exact;
    uint32_t nearest_bits;
    double condition;
    struct measured *rows;
    size_t row_count;
};

/* `directory` NULL: in memory.  `identity` is a text that is equal for equal studies on equal devices; device: the name
 * for rows that are on_device.  BAD_INPUT when the folder holds another run. */
enum status store_open(const char *directory, enum store_mode mode, const struct study *study, const char *identity,
                       const char *device, struct store **store);
enum status store_close(struct store *store);

/* Whether the case has been stored; cases are looked up in a table that was read when the store was opened. */
bool store_has_case(const struct store *store, uint64_t index);

/* Stores the rows, in place of those that the case had.  An unfinished one counts as not stored: its rows are read, but
 * store_has_case() is false for it the next time, so that a --resume does it again. */
enum status store_put_case(struct store *store, const struct finished_case *finished);

/* Facts are put between these two, in one transaction; a store that is closed before the end has none of them. */
enum status store_begin_facts(struct store *store);
enum status store_end_facts(struct store *store);
enum status store_put_fact(struct store *store, const char *topic, const char *name, const char *value);
enum status store_drop_fact(struct store *store, const char *topic, const char *name);

/* A row as it was stored, and where it stands. */
struct stored {
    struct result result;
    size_t entry, spec, launch, method;
};

enum store_order { BY_CASE, BY_SERIES };

/* Visits all rows; the texts live until the visit returns. */
enum status store_each(struct store *store, enum store_order order,
                       enum status (*visit)(void *context, const struct stored *row), void *context);

/* How many kernel results the store holds beside their replays, and how many have other bits; methods whose order is
 * that of arrival are left out. */
struct comparison {
    uint64_t compared, differ;
};
enum status store_compare(struct store *store, struct comparison *comparison);

/* Finished cases that are stored now. */
uint64_t store_case_count(const struct store *store);

/* Whether the store holds any row, of a finished case or another. */
bool store_has_rows(const struct store *store);

enum status store_each_fact(struct store *store,
                            enum status (*visit)(void *context, const char *topic, const char *name, const char *value),
                            void *context);

#endif
