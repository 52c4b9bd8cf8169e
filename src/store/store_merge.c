#include "store_parts.h"

enum { TABLES_MOST = 32 };

/* ---- rows as they are ---- */

/* A table of which rows are copied, whatever its columns are. */
struct copying {
    struct store *store; /* into which */
    const char *name;
    sqlite3_stmt *insert; /* made with the first row */
};

static enum status copy_row(void *context, sqlite3_stmt *row)
{
    struct copying *copying = context;
    const int columns = sqlite3_column_count(row);
    if (!copying->insert)
        TRY(store_prepare_insert(copying->store, "OR IGNORE ", copying->name, columns, &copying->insert));
    for (int c = 0; c < columns; c++)
        if (sqlite3_bind_value(copying->insert, c + 1, sqlite3_column_value(row, c)) != SQLITE_OK)
            return store_failed(copying->store, "cannot be written"); /* a text is copied, which takes memory */
    return store_step(copying->store, copying->insert);
}

/* ---- tables ---- */

/* The tables of a store: those with rows of cases, and others. */
struct tables {
    char *of_cases[TABLES_MOST], *others[TABLES_MOST];
    size_t of_cases_count, others_count;
};

static enum status note_table(void *context, sqlite3_stmt *row)
{
    struct tables *tables = context;
    const bool is_of_cases = sqlite3_column_int(row, 1);
    size_t *count = is_of_cases ? &tables->of_cases_count : &tables->others_count;
    if (*count < TABLES_MOST)
        (is_of_cases ? tables->of_cases : tables->others)[(*count)++] = memory_copy(store_text(row, 0));
    return OK;
}

/* All but those whose rows depend on more than one shard.  The first column of those of cases is the case, or the id of
 * a row, which begins with its case. */
static enum status list_tables(struct store *store, struct tables *tables)
{
    return store_each_line(
        store,
        "SELECT name, (SELECT name FROM pragma_table_info(m.name) WHERE cid = 0) IN ('case_index', 'id') FROM "
        "sqlite_master m WHERE type = 'table' AND name NOT IN ('run', 'provenance', 'seal') ORDER BY m.rowid",
        note_table, tables);
}

static void free_tables(struct tables *tables)
{
    for (size_t i = 0; i < tables->of_cases_count; i++)
        free(tables->of_cases[i]);
    for (size_t i = 0; i < tables->others_count; i++)
        free(tables->others[i]);
}

/* Tables without cases: the study, which is the same in all, and what was measured when the cases were done. */
static enum status copy_table(const struct parts *parts, struct store *store, const char *name)
{
    struct copying copying = {store, name, NULL};
    OWNED char *query = text_made("SELECT * FROM %s", name);
    enum status status = OK;
    for (size_t i = 0; i < parts->count && status == OK; i++)
        status = store_each_line(parts->list[i].store, query, copy_row, &copying);
    sqlite3_finalize(copying.insert);
    return status;
}

/* ---- cases ---- */

/* A table of all parts, read side by side: where the rows of each stand. */
struct walk {
    struct copying copying;
    sqlite3_stmt **rows; /* of each part; NULL: it has no more */
    uint64_t of_case;    /* keys that a case has */
};

static enum status next_row(const struct parts *parts, struct walk *walk, size_t part)
{
    const int result = sqlite3_step(walk->rows[part]);
    if (result == SQLITE_ROW)
        return OK;
    sqlite3_finalize(walk->rows[part]);
    walk->rows[part] = NULL;
    return result == SQLITE_DONE ? OK : store_failed(parts->list[part].store, "cannot be read");
}

static enum status walks_begin(const struct parts *parts, struct store *store, const char *name, struct walk *walk)
{
    OWNED char *query = text_made("SELECT * FROM %s ORDER BY 1", name);
    *walk = (struct walk){{store, name, NULL},
                          memory_cleared(parts->count, sizeof *walk->rows),
                          strcmp(name, "cases") == 0 ? 1 : row_id(1, 0)};
    for (size_t i = 0; i < parts->count; i++) {
        TRY(store_prepare(parts->list[i].store, query, &walk->rows[i]));
        TRY(next_row(parts, walk, i));
    }
    return OK;
}

static void walks_end(const struct parts *parts, struct walk *walk)
{
    for (size_t i = 0; i < parts->count && walk->rows; i++)
        sqlite3_finalize(walk->rows[i]);
    free(walk->rows);
    sqlite3_finalize(walk->copying.insert);
}

static enum status copy_case(const struct parts *parts, struct walk *walk, size_t part, uint64_t index)
{
    while (walk->rows[part]) {
        const uint64_t found = (uint64_t)sqlite3_column_int64(walk->rows[part], 0) / walk->of_case;
        if (found > index)
            return OK;
        if (found < index)
            return store_damaged(parts->list[part].store, "it has case %" PRIu64 ", which is another shard's", found);
        TRY(copy_row(&walk->copying, walk->rows[part]));
        TRY(next_row(parts, walk, part));
    }
    return OK;
}

/* In the order of a run, so that nothing is sorted and every page is written once. */
static enum status copy_cases(const struct parts *parts, struct walk *walks, size_t walk_count)
{
    const uint64_t cases = parts->list[0].cases;
    OWNED size_t *part_of = memory_cleared(parts->shards + 1, sizeof *part_of); /* its place + 1; 0: it is not there */
    for (size_t i = 0; i < parts->count; i++)
        part_of[parts->list[i].shard.number] = i + 1;
    for (uint64_t index = 0; index < cases; index++) {
        const size_t part = part_of[shard_number_of(index, parts->shards)];
        for (size_t w = 0; w < walk_count && part > 0; w++)
            TRY(copy_case(parts, &walks[w], part - 1, index));
    }
    for (size_t i = 0; i < parts->count; i++) /* what is behind the last */
        for (size_t w = 0; w < walk_count; w++)
            TRY(copy_case(parts, &walks[w], i, cases));
    return OK;
}

static enum status copy_tables_of_cases(const struct parts *parts, const struct tables *tables, struct store *store)
{
    struct walk walks[TABLES_MOST] = {0};
    enum status status = OK;
    for (size_t t = 0; t < tables->of_cases_count && status == OK; t++)
        status = walks_begin(parts, store, tables->of_cases[t], &walks[t]);
    if (status == OK)
        status = copy_cases(parts, walks, tables->of_cases_count);
    for (size_t t = 0; t < tables->of_cases_count; t++)
        walks_end(parts, &walks[t]);
    return status;
}

static enum status put_pair(struct store *store, const char *key, const char *value)
{
    return store_put(store, "INSERT OR REPLACE INTO run VALUES(?, ?)", "tt", key, value);
}

static enum status copy_run(const struct parts *parts, struct store *store)
{
    struct copying copying = {store, "run", NULL};
    TRY(store_each_line(parts->list[0].store,
                        "SELECT * FROM run WHERE key NOT IN ('identity', 'shard', 'whole', 'ended')", copy_row,
                        &copying));
    sqlite3_finalize(copying.insert);
    TRY(put_pair(store, "identity", parts->list[0].identity));
    return put_pair(store, "shard", "1/1");
}

static enum status copy_all(const struct parts *parts, const char *directory, const struct tables *tables,
                            struct store *store)
{
    TRY(store_execute(store, store_tables));
    TRY(copy_run(parts, store));
    TRY(parts_put_facts(parts, directory, store));
    for (size_t t = 0; t < tables->others_count; t++)
        TRY(copy_table(parts, store, tables->others[t]));
    TRY(copy_tables_of_cases(parts, tables, store));
    return store_execute(store, "UPDATE seal SET cases = (SELECT count(*) FROM cases)");
}

/* One transaction: killed, it leaves a store without tables. */
static enum status fill(const struct parts *parts, const char *directory, struct store *store)
{
    FREED_BY(free_tables) struct tables tables = {0};
    TRY(store_begin(store));
    TRY(list_tables(parts->list[0].store, &tables));
    TRY(copy_all(parts, directory, &tables, store));
    store->has_new_facts = true;
    TRY(store_end(store));
    TRY(store_count(store));
    if (store->has_rows)
        return store_settle(store);
    return bad_input("nothing was measured: no shard has a sum; give their runs --slow, a smaller n or other methods");
}

static enum status open_new(const struct merge *merge, const char *identity, struct store *store)
{
    if (merge->directory)
        TRY(store_open_file(store, merge->directory, merge->mode, identity));
    else if (store_open_database(store, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) != SQLITE_OK)
        return store_failed(store, "cannot be made");
    TRY(store_execute(store, "PRAGMA locking_mode = EXCLUSIVE"));
    TRY(store_guard(store));
    store_unguard(store);
    return store_execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
}

enum status store_merge(const struct merge *merge, struct store **merged)
{
    struct parts parts;
    struct store *store = memory_cleared(1, sizeof *store);
    enum status status = parts_open(&parts, merge);
    if (status == OK)
        status = open_new(merge, parts.list[0].identity, store);
    if (status == OK)
        status = fill(&parts, merge->directory, store);
    parts_close(&parts);
    if (status == OK)
        *merged = store;
    else
        (void)store_close(store); /* which complains */
    return status;
}
