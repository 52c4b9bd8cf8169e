/* What a store holds beside the study and its rows: facts, speeds and variations. */
#include "store_file.h"

static enum status put_fact(struct store *store, const char *sql, const char *types, const char *topic,
                            const char *name, const char *value)
{
    const bool is_alone = sqlite3_get_autocommit(store->database);
    if (is_alone)
        TRY(store_begin(store));
    TRY(store_put(store, sql, types, topic, name, value));
    store->has_new_facts = true;
    return is_alone ? store_end(store) : OK;
}

enum status store_put_fact(struct store *store, const char *topic, const char *name, const char *value)
{
    return put_fact(store, "INSERT OR REPLACE INTO provenance VALUES(?, ?, ?)", "ttt", topic, name, value);
}

enum status store_drop_fact(struct store *store, const char *topic, const char *name)
{
    return put_fact(store, "DELETE FROM provenance WHERE topic = ? AND name = ?", "tt", topic, name, NULL);
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
    store->has_new_facts = true;
    return store_put(store, "INSERT OR REPLACE INTO speeds VALUES(?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiidd",
                     (uint64_t)speed->launch, (uint64_t)speed->backend, (uint64_t)speed->method, (uint64_t)speed->n,
                     (uint64_t)speed->bytes, (uint64_t)speed->rounds, speed->microseconds, speed->median);
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

enum status store_has_variation(struct store *store, const struct stored_variation *variation, bool *has)
{
    const size_t places[] = {variation->entry, variation->spec, variation->launch, variation->backend,
                             variation->method};
    enum { PLACES = sizeof places / sizeof *places };
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store,
                      "SELECT 1 FROM variations WHERE entry = ? AND spec = ? AND launch_index = ? AND backend_index = "
                      "? AND method_index = ? AND axis = ?",
                      &statement));
    for (int i = 0; i < PLACES; i++)
        sqlite3_bind_int64(statement, i + 1, (sqlite3_int64)places[i]);
    sqlite3_bind_text(statement, PLACES + 1, axis_table[variation->axis].id, -1, SQLITE_STATIC);
    const int result = sqlite3_step(statement);
    *has = result == SQLITE_ROW;
    sqlite3_finalize(statement);
    return *has || result == SQLITE_DONE ? OK : store_failed(store, "cannot be read");
}

/* SQLite stores a NaN as NULL. */
enum status store_put_variation(struct store *store, const struct stored_variation *variation)
{
    store->has_new_facts = true;
    return store_put(store, "INSERT OR REPLACE INTO variations VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                     "iiiiitiidtiit", (uint64_t)variation->entry, (uint64_t)variation->spec,
                     (uint64_t)variation->launch, (uint64_t)variation->backend, (uint64_t)variation->method,
                     axis_table[variation->axis].id, variation->variants, variation->results, variation->spread,
                     variation->first, variation->base, variation->bits, variation->why);
}

struct variation_visit {
    enum status (*visit)(void *context, const struct stored_variation *variation);
    void *context;
};

static enum status visit_variation(void *context, sqlite3_stmt *statement)
{
    const struct variation_visit *to = context;
    const struct stored_variation variation = {
        .entry = (size_t)sqlite3_column_int64(statement, 0),
        .spec = (size_t)sqlite3_column_int64(statement, 1),
        .launch = (size_t)sqlite3_column_int64(statement, 2),
        .backend = (size_t)sqlite3_column_int64(statement, 3),
        .method = (size_t)sqlite3_column_int64(statement, 4),
        .axis = axis_find(store_text(statement, 5)),
        .variants = (uint64_t)sqlite3_column_int64(statement, 6),
        .results = (uint64_t)sqlite3_column_int64(statement, 7),
        .spread = sqlite3_column_type(statement, 8) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(statement, 8),
        .first = store_text(statement, 9),
        .base = (uint64_t)sqlite3_column_int64(statement, 10),
        .bits = (uint64_t)sqlite3_column_int64(statement, 11),
        .why = store_text(statement, 12),
    };
    return to->visit(to->context, &variation);
}

enum status store_each_variation(struct store *store,
                                 enum status (*visit)(void *context, const struct stored_variation *variation),
                                 void *context)
{
    return store_each_line(
        store, "SELECT * FROM variations ORDER BY entry, spec, launch_index, backend_index, method_index, axis",
        visit_variation, &(struct variation_visit){visit, context});
}
