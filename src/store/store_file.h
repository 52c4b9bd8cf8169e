/* The file, as SQLite has it: what store_open.c (its identity), store_study.c (what was asked), store_rows.c (cases and
 * their rows) and store_facts.c (the rest) stand on. */
#ifndef ULPSCOPE_STORE_FILE_H
#define ULPSCOPE_STORE_FILE_H

#include "store.h"

#include <sqlite3.h>

/* Of the tables; counted up when they change. */
#define STORE_SCHEMA "ulpscope-store/4"

struct store {
    sqlite3 *database;
    char *path; /* NULL: in memory */
    const struct study *study;
    const char *device;
    sqlite3_stmt *insert_row, *insert_case;
    unsigned char *has_case; /* one byte a case */
    bool is_new, made_directory, has_rows, is_read;
    uint64_t case_count; /* finished, and stored now */
};

/* The columns of the table `results`, in order. */
enum column {
    CASE_INDEX,
    LAUNCH_INDEX,
    BACKEND_INDEX,
    METHOD_INDEX,
    REPEAT,
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
    COLUMNS,
};

/* Complains with SQLite's words; BAD_INPUT for a file that is no database, else NOT_MEASURED. */
enum status store_failed(const struct store *store, const char *what);
enum status store_execute(struct store *store, const char *sql);
enum status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement);

/* Runs a statement that returns no rows, and makes it ready for the next time. */
enum status store_step(struct store *store, sqlite3_stmt *statement);

/* Calls visit for every row of a query's answer, until one is not OK. */
enum status store_each_line(struct store *store, const char *query,
                            enum status (*visit)(void *context, sqlite3_stmt *statement), void *context);

/* Runs a statement of texts alone. */
enum status store_put_texts(struct store *store, const char *sql, const char *const *values, int count);

/* A column's text, "" for NULL, which no store of ours holds. */
const char *store_text(sqlite3_stmt *statement, int column);

#endif
