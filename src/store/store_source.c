#include "store_file.h"

/* What SQLite calls a virtual table, and a cursor of it; each begins with SQLite's own part. */
struct offered {
    sqlite3_vtab of_sqlite;
    const struct line_source *source;
};

struct cursor {
    sqlite3_vtab_cursor of_sqlite;
    const struct line_source *source;
    uint64_t position;
    struct line line;
};

/* ---- the table ---- */

static int declare(sqlite3 *database, size_t columns)
{
    struct text text = {0};
    for (size_t c = 0; c < columns; c++)
        text_append(&text, "%s c%zu", c > 0 ? "," : "CREATE TABLE lines(", c);
    text_append(&text, ")");
    OWNED char *sql = text_take(&text);
    return sqlite3_declare_vtab(database, sql);
}

static int connect(sqlite3 *database, void *source, int count, const char *const *arguments, sqlite3_vtab **table,
                   char **why)
{
    (void)count, (void)arguments, (void)why;
    const int result = declare(database, strlen(((const struct line_source *)source)->types));
    if (result != SQLITE_OK)
        return result;
    struct offered *offered = memory_cleared(1, sizeof *offered);
    offered->source = source;
    *table = &offered->of_sqlite;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

/* Lines are read from the first to the last, whatever is asked. */
static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table, (void)info;
    return SQLITE_OK;
}

/* ---- its lines ---- */

static int open(sqlite3_vtab *table, sqlite3_vtab_cursor **opened)
{
    struct cursor *cursor = memory_cleared(1, sizeof *cursor);
    cursor->source = ((struct offered *)table)->source;
    *opened = &cursor->of_sqlite;
    return SQLITE_OK;
}

static int close(sqlite3_vtab_cursor *opened)
{
    free(opened);
    return SQLITE_OK;
}

static int move_to(struct cursor *cursor, uint64_t position)
{
    cursor->position = position;
    if (position < cursor->source->count)
        cursor->source->make(cursor->source->context, position, &cursor->line);
    return SQLITE_OK;
}

static int first(sqlite3_vtab_cursor *opened, int plan, const char *plan_text, int count, sqlite3_value **values)
{
    (void)plan, (void)plan_text, (void)count, (void)values;
    return move_to((struct cursor *)opened, 0);
}

static int next(sqlite3_vtab_cursor *opened)
{
    struct cursor *cursor = (struct cursor *)opened;
    return move_to(cursor, cursor->position + 1);
}

static int is_over(sqlite3_vtab_cursor *opened)
{
    const struct cursor *cursor = (struct cursor *)opened;
    return cursor->position >= cursor->source->count;
}

static int give_column(sqlite3_vtab_cursor *opened, sqlite3_context *to, int column)
{
    const struct cursor *cursor = (struct cursor *)opened;
    line_give(to, cursor->source->types[column], column, &cursor->line);
    return SQLITE_OK;
}

static int give_position(sqlite3_vtab_cursor *opened, sqlite3_int64 *position)
{
    *position = (sqlite3_int64)((struct cursor *)opened)->position;
    return SQLITE_OK;
}

/* Without xCreate it is there by its name alone. */
int source_offer(sqlite3 *database, const char *name, struct line_source *source)
{
    static const sqlite3_module module = {
        .xConnect = connect,
        .xDisconnect = disconnect,
        .xBestIndex = plan,
        .xOpen = open,
        .xClose = close,
        .xFilter = first,
        .xNext = next,
        .xEof = is_over,
        .xColumn = give_column,
        .xRowid = give_position,
    };
    return sqlite3_create_module(database, name, &module, source);
}
