/* The seals of a run.db that a test has changed, made anew: as the store would have made them of what is there now. */
#ifndef ULPSCOPE_TESTS_SEAL_AGAIN_H
#define ULPSCOPE_TESTS_SEAL_AGAIN_H

#include "src/store/store_file.h"

#include <stdio.h>

struct sealing {
    struct store *store;
    struct sha256_ctx seal;
};

static inline enum status add_row(void *context, sqlite3_stmt *row)
{
    struct sealing *sealing = context;
    struct line line;
    const bool is_element = sqlite3_column_count(row) == ELEMENT_COLUMNS;
    if (line_read(row, (is_element ? store_elements : store_measured).types, &line))
        seal_add(&sealing->seal, &line);
    return OK;
}

/* And what it has in `elements`. */
static inline enum status add_both(void *context, sqlite3_stmt *row)
{
    struct sealing *sealing = context;
    char sql[128];
    TRY(add_row(context, row));
    snprintf(sql, sizeof sql, "SELECT * FROM elements WHERE id = %lld", (long long)sqlite3_column_int64(row, ROW_ID));
    return store_each_line(sealing->store, sql, add_row, context);
}

/* `noted` has the case, with as many rows as are left. */
static inline enum status seal_case_again(void *context, sqlite3_stmt *row)
{
    struct store *store = context;
    struct sealing sealing = {.store = store};
    struct line of_case;
    uint8_t bytes[SEAL_SIZE];
    char sql[128];
    const sqlite3_int64 index = sqlite3_column_int64(row, CASE_INDEX);
    sha256_init(&sealing.seal);
    if (line_read(row, store_cases.types, &of_case))
        seal_add(&sealing.seal, &of_case);
    snprintf(sql, sizeof sql, "SELECT * FROM measured WHERE id >> 24 = %lld ORDER BY id", (long long)index);
    TRY(store_each_line(store, sql, add_both, &sealing));
    seal_end(&sealing.seal, bytes);
    sqlite3_bind_int64(store->insert_case, 1, index);
    sqlite3_bind_blob(store->insert_case, 2, bytes, SEAL_SIZE, SQLITE_STATIC);
    return store_step(store, store->insert_case);
}

/* The cases that are left have the rows that are left; of values of other types, which nothing can seal, the seal
 * stays. The store has a database and a path, and is no other. */
static inline void seal_again(struct store *store)
{
    static const char count[] = "UPDATE seal SET cases = (SELECT count(*) FROM cases);"
                                "UPDATE cases SET row_count ="
                                " (SELECT count(*) FROM measured WHERE id >> 24 = case_index);"
                                "CREATE TEMP TABLE noted AS SELECT * FROM cases";
    store->has_new_facts = true;
    if (store_begin(store) == OK && store_execute(store, count) == OK &&
        store_prepare(store, "UPDATE cases SET seal = ?2 WHERE case_index = ?1", &store->insert_case) == OK)
        (void)store_each_line(store, "SELECT * FROM noted", seal_case_again, store);
    sqlite3_finalize(store->insert_case);
    (void)store_end(store);
}

#endif
