/* What a store holds beside the study and its rows: facts and speeds. */
#include "store_file.h"

/* ---- facts ---- */

static enum status put_fact(struct store *store, const char *sql, const char *const *values, int count)
{
    const bool is_alone = sqlite3_get_autocommit(store->database);
    if (is_alone)
        TRY(store_begin(store));
    TRY(store_put_texts(store, sql, values, count));
    return is_alone ? store_end(store) : OK;
}

enum status store_put_fact(struct store *store, const char *topic, const char *name, const char *value)
{
    const char *const values[] = {topic, name, value};
    return put_fact(store, "INSERT OR REPLACE INTO provenance VALUES(?, ?, ?)", values, 3);
}

enum status store_drop_fact(struct store *store, const char *topic, const char *name)
{
    const char *const values[] = {topic, name};
    return put_fact(store, "DELETE FROM provenance WHERE topic = ? AND name = ?", values, 2);
}

struct fact_visit {
    enum status (*visit)(void *context, const char *topic, const char *name, const char *value);
    void *context;
};

static enum status visit_fact(void *context, sqlite3_stmt *statement)
{
    const struct fact_visit *to = context;
    return to->visit(to->context, store_text(statement, 0), store_text(statement, 1), store_text(statement, 2));
}

enum status store_each_fact(struct store *store,
                            enum status (*visit)(void *context, const char *topic, const char *name, const char *value),
                            void *context)
{
    return store_each_line(store, "SELECT topic, name, value FROM provenance ORDER BY topic, name", visit_fact,
                           &(struct fact_visit){visit, context});
}

/* ---- speeds ---- */

static enum status note_one(void *found, sqlite3_stmt *statement)
{
    (void)statement;
    *(bool *)found = true;
    return OK;
}

bool store_has_speeds(struct store *store)
{
    bool found = false;
    return store_each_line(store, "SELECT 1 FROM speeds LIMIT 1", note_one, &found) == OK && found;
}

enum status store_put_speed(struct store *store, const struct stored_speed *speed)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, "INSERT OR REPLACE INTO speeds VALUES(?, ?, ?, ?, ?, ?, ?, ?)", &statement));
    const sqlite3_int64 integers[] = {
        (sqlite3_int64)speed->launch, (sqlite3_int64)speed->backend, (sqlite3_int64)speed->method,
        (sqlite3_int64)speed->n,      (sqlite3_int64)speed->bytes,   (sqlite3_int64)speed->rounds,
    };
    enum { INTEGERS = sizeof integers / sizeof *integers };
    for (int i = 0; i < INTEGERS; i++)
        sqlite3_bind_int64(statement, i + 1, integers[i]);
    sqlite3_bind_double(statement, INTEGERS + 1, speed->microseconds);
    sqlite3_bind_double(statement, INTEGERS + 2, speed->median);
    const enum status status = store_step(store, statement);
    sqlite3_finalize(statement);
    return status;
}

struct speed_visit {
    enum status (*visit)(void *context, const struct stored_speed *speed);
    void *context;
};

static enum status visit_speed(void *context, sqlite3_stmt *statement)
{
    const struct speed_visit *to = context;
    const struct stored_speed speed = {
        .launch = (size_t)sqlite3_column_int64(statement, 0),
        .backend = (size_t)sqlite3_column_int64(statement, 1),
        .method = (size_t)sqlite3_column_int64(statement, 2),
        .n = (uint64_t)sqlite3_column_int64(statement, 3),
        .bytes = (uint64_t)sqlite3_column_int64(statement, 4),
        .rounds = (uint64_t)sqlite3_column_int64(statement, 5),
        .microseconds = sqlite3_column_double(statement, 6),
        .median = sqlite3_column_double(statement, 7),
    };
    return to->visit(to->context, &speed);
}

enum status store_each_speed(struct store *store, enum status (*visit)(void *context, const struct stored_speed *speed),
                             void *context)
{
    return store_each_line(store, "SELECT * FROM speeds ORDER BY launch_index, backend_index, method_index",
                           visit_speed, &(struct speed_visit){visit, context});
}
