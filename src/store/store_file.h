/* The file, as SQLite has it: what store_open.c (its identity), store_study.c (what was asked), store_rows.c and
 * store_read.c (cases and their rows), store_facts.c (the rest), store_line.c and store_verify.c (whether it is as it
 * was written) stand on. */
#pragma once

#include "store.h"
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
    sqlite3_stmt *insert_row, *insert_element, *insert_case;
    unsigned char *has_case; /* one byte a case: enum has_case */
    bool is_new, made_directory, has_rows, is_read, waits, is_settled, has_failed /* to write */;
    bool has_new_facts,
        has_new_rows;    /* in the transaction that is open: the small tables differ from their seal, ... */
    uint64_t new_cases;  /* in that transaction */
    uint64_t case_count; /* finished, and stored now */
};

/* Complains with SQLite's words; BAD_INPUT for a file that is no database, else NOT_MEASURED. */
enum status store_failed(const struct store *store, const char *what);
enum status store_execute(struct store *store, const char *sql);
enum status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement);

/* A row with so many columns; otherwise: "" or, for one that is there, "OR IGNORE ". */
enum status store_prepare_insert(struct store *store, const char *table, int columns, sqlite3_stmt **statement);

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

/* Likewise, the only text, allocated in place of *text. */
enum status store_word(struct store *store, const char *query, char **text);

/* Runs a statement; of its values t is a const char *, i a uint64_t, d a double: "tii". */
enum status store_put(struct store *store, const char *sql, const char *types, ...);

/* A column's text, "" for NULL, which no store of ours holds. */
const char *store_text(sqlite3_stmt *statement, int column);

/* The study, as the store records it. */

/* Records the study; in the transaction that makes the tables. */
enum status store_put_study(struct store *store);

/* Whether a store is as it was written: before anything that it says is believed. */

/* Called after a file was opened and before anything is read: nothing in the file is executed, and reading its list of
 * tables takes a limited time.  That limit ends with store_verify(), or with store_unguard() for a file that is new. */
enum status store_guard(struct store *store);
void store_unguard(struct store *store);

/* Our tables and nothing else; pages that SQLite finds sound, as many as the file is long; seals that fit; and values
 * that a run writes, since anybody can compute seals anew.  BAD_INPUT, and a message that names the first thing that is
 * wrong. */
enum status store_verify(struct store *store);

/* Where a run's database is: DIR/run.db, or DIR/.ulpscope/run.db while it is to replace that one. */

/* Sets store->path, waits and is_new, claims the files of both places, and makes the folder.  BAD_INPUT or
 * NOT_MEASURED, as the cause is, for a place that cannot be looked at or made. */
enum status store_choose_place(struct store *store, const char *directory, enum store_mode mode, const char *identity);

/* The path of a run that is named by its folder or its file; the caller frees it. */
char *store_path_of(const char *run);

/* One thread at a time uses it.  A code of SQLite. */
int store_open_database(struct store *store, const char *path, int flags);

/* A database is the file and what SQLite keeps beside it: `claim` is called for each (src/files/claim.h); each is
 * removed. */
enum status store_claim(enum status (*claim)(const char *who, const char *path), const char *who, const char *path);
void store_remove(const char *path);

/* A row of any table, as 64 bits a column: how it is bound, read and sealed. */

/* Of a text the word is its length.  NULL is LINE_NULL, which as a number is NaN. */
#define LINE_NULL UINT64_MAX

struct line {
    int count;
    uint64_t words[COLUMNS]; /* no table has more */
    const char *texts[COLUMNS];
};

/* Each sets a column, of any table. */
void line_set_number(struct line *line, int column, double number);
void line_set_text(struct line *line, int column, const char *text); /* NULL is NULL; the text is not copied */

double line_number(const struct line *line, int column);

/* The types are those of a table. */
void line_bind(sqlite3_stmt *statement, const char *types, const struct line *line);

/* The row that the statement has now; its texts live until the next step.  False: a value is of another type. */
bool line_read(sqlite3_stmt *row, const char *types, struct line *line);

/* Seals: beside what was written stands the first half of its SHA-256, so that a store that is damaged, or was changed
 * by another program, is not believed.  Seals are computed from what is bound, and held to the values as they are read
 * back when the store is opened.
 *
 *   cases.seal   of a case: what stands before its seal, and its rows in the order of their ids, behind each what it
 *                has in `elements`
 *   seal.seal    of all other tables, whose rows are few; beside it stands the number of cases
 *
 * What is sealed of a row: for each column 64 bits, least byte first: an integer; a number, as binary64; the length of
 * a text; all bits set for NULL.  Then the texts.
 */

enum { SEAL_SIZE = SHA256_DIGEST_SIZE / 2 };

void seal_add(struct sha256_ctx *seal, const struct line *line);
void seal_end(struct sha256_ctx *seal, uint8_t bytes[SEAL_SIZE]);

/* Of the small tables, as they are now. */
enum status seal_of_tables(struct store *store, uint8_t bytes[SEAL_SIZE]);

/* Whether values are such as a run writes: numbers in their ranges, names and places that the study has. */

enum { ROW_KEYS = 6 /* launch, backend, method, repeat, i, j */ };

/* Where the cases of a study stand, in rising order. */
struct place {
    const struct study_record *study;
    size_t entry, spec;
    uint64_t before; /* cases of the entries before this one */
    uint64_t trial;  /* of the case, from 0 */
    uint64_t first_trial;
    bool has_first_trial; /* it is known since the first case */
    uint64_t rows;        /* of the case, before this one; whoever takes them counts them */
    uint64_t last[ROW_KEYS];
};

/* To a case that the study has, and that is not before the last one. */
void place_move(struct place *place, uint64_t index);

/* What is wrong, or NULL. */
const char *study_fault(const struct study_record *study);
const char *speed_fault(const struct study_record *study, const struct stored_speed *speed);
const char *variation_fault(const struct study_record *study, const struct stored_variation *variation);
const char *case_fault(struct place *place, const struct line *of_case); /* at the case, with all its words */
/* Of this case, in turn; element: NULL of a row that has none. */
const char *row_fault(struct place *place, const struct line *row, const struct line *element);
const char *backend_fault(uint64_t index, const char *id, const char *device);
const char *class_fault(uint64_t index, const char *name);

/* Rows in the order of their ids, each beside what it has in `elements`.
 *
 *   TRY(walk_begin(store, &walk));
 *   while ((status = walk_next(&walk)) == OK && walk.has_row)
 *       ... walk.rows, and unless it is NULL walk_element(&walk) ...
 *   walk_end(&walk);
 */

struct row_walk {
    struct store *store;
    sqlite3_stmt *rows, *elements; /* each stands on a row of its table, if there is one left */
    bool has_row, has_element;
    uint64_t id, element_id;
};

enum status walk_begin(struct store *store, struct row_walk *walk);
enum status walk_next(struct row_walk *walk);
void walk_end(struct row_walk *walk);

/* Of the row where the walk stands. */
static inline sqlite3_stmt *walk_element(const struct row_walk *walk)
{
    return walk->has_element && walk->element_id == walk->id ? walk->elements : NULL;
}

/* An element was passed whose row is not there. */
static inline bool walk_lost_row(const struct row_walk *walk)
{
    return walk->has_element && (!walk->has_row || walk->element_id < walk->id);
}
