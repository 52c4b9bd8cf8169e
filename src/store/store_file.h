/* The file, as SQLite has it: what store_open.c (its identity), store_study.c (what was asked), store_rows.c and
 * store_read.c (cases and their rows), store_facts.c (the rest), store_seal.c and store_verify.c (whether it is as it
 * was written) stand on. */
#pragma once

#include "store.h"
#include "store_source.h"
#include "store_tables.h"

#include <sqlite3.h>

/* Of the tables; counted up when they change. */
#define STORE_SCHEMA "ulpscope-store/10"

enum has_case { HAS_NOTHING, HAS_UNFINISHED, HAS_FINISHED };

struct store {
    sqlite3 *database;
    char *path; /* NULL: in memory */
    const struct study *study;
    const char *device;
    struct line_source rows_in_hand; /* of the case that is being stored */
    sqlite3_stmt *insert_rows, *insert_element, *insert_case;
    unsigned char *has_case; /* one byte a case: enum has_case */
    bool is_new, made_directory, has_rows, is_read, waits, is_settled, has_failed /* to write */;
    bool is_kept; /* without rows */
    bool has_new_facts,
        has_new_rows;    /* in the transaction that is open: the small tables differ from their seal, ... */
    uint64_t new_cases;  /* in that transaction */
    uint64_t case_count; /* finished, and stored now */
};

/* The first line in which two identities part, for the complaint. */
enum { DIFFERENCE_SIZE = 400 };
void store_find_difference(const char *stored, const char *wanted, char text[DIFFERENCE_SIZE]);

/* The run.db in the folder, opened to be written.  BAD_INPUT where there is a run and none was expected. */
enum status store_open_file(struct store *store, const char *directory, enum store_mode mode, const char *identity);

/* Complains with SQLite's words; BAD_INPUT for a file that is no database, else NOT_MEASURED. */
enum status store_failed(const struct store *store, const char *what);
enum status store_execute(struct store *store, const char *sql);
enum status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement);

/* The statements that store a case. */
enum status store_prepare_case(struct store *store);
void store_finish_case(struct store *store);

/* Runs a statement that returns no rows, and makes it ready for the next time. */
enum status store_step(struct store *store, sqlite3_stmt *statement);

/* The file is not what was written: complains of what it is, and what to do.  BAD_INPUT. */
enum status store_damaged(const struct store *store, const char *what, ...) __attribute__((format(printf, 2, 3)));

/* Calls visit for every row of a query's answer, until one is not OK. */
enum status store_each_line(struct store *store, const char *query,
                            enum status (*visit)(void *context, sqlite3_stmt *statement), void *context);

/* The first number of a query's answer. */
enum status store_number(struct store *store, const char *query, sqlite3_int64 *number);

/* Runs a statement of texts alone. */
enum status store_put_texts(struct store *store, const char *sql, const char *const *values, int count);

/* A column's text, "" for NULL, which no store of ours holds. */
const char *store_text(sqlite3_stmt *statement, int column);
