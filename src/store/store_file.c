#include "store_file.h"

#include <errno.h>

enum { DAMAGE_SIZE = 600, CAUSE_SIZE = 200 };

/* Whether the query's first answer is this; says nothing. */
static bool answers(const struct store *store, const char *query, const char *expected)
{
    sqlite3_stmt *statement = NULL;
    bool same = false;
    if (sqlite3_prepare_v2(store->database, query, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        same = strcmp(store_text(statement, 0), expected) == 0;
    sqlite3_finalize(statement);
    return same;
}

/* What became of what was stored before: said after it was looked at. */
static const char *what_is_left(const struct store *store)
{
    if (!store->path)
        return "";
    if (!answers(store, "PRAGMA quick_check(1)", "ok"))
        return "; what was stored before cannot be read now";
    return answers(store, "SELECT EXISTS(SELECT 1 FROM cases)", "1")
               ? "; what was stored before is whole, --resume continues"
               : "; no case was stored before";
}

/* A disk that does not give the file's bytes, or those of its log, which SQLite calls a malformed file. */
static bool is_unreadable(sqlite3 *database)
{
    int of_file = 0, of_log = 0;
    sqlite3_file *log = NULL;
    if (sqlite3_errcode(database) == SQLITE_NOMEM) /* also where there is no database */
        return false;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &of_file);
    sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (log && log->pMethods && log->pMethods->xFileControl) /* of a store in memory there is none */
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &of_log);
    return of_file == EIO || of_log == EIO;
}

/* Nothing is said of the file.  A CANTOPEN is the folder's where the system has no other cause to name. */
static bool is_shortage(sqlite3 *database)
{
    const int cause = sqlite3_errcode(database), of_system = sqlite3_system_errno(database);
    return cause == SQLITE_NOMEM || cause == SQLITE_IOERR || is_unreadable(database) ||
           (cause == SQLITE_CANTOPEN && of_system != 0 && status_of_cause(of_system) == NOT_MEASURED);
}

static const char *cause_of(const struct store *store)
{
    return is_unreadable(store->database) ? strerror(EIO) : sqlite3_errmsg(store->database);
}

enum status store_failed(const struct store *store, const char *what)
{
    const int cause = sqlite3_errcode(store->database);
    const char *path = store->path ? store->path : "store";
    const bool is_ours = store->insert_case || store->is_settled; /* made here, or verified */
    if ((cause == SQLITE_NOTADB || cause == SQLITE_CORRUPT) && !is_ours && !is_shortage(store->database))
        return bad_input("%s: %s; expected the whole run.db of an ulpscope run; %s", path,
                         sqlite3_errmsg(store->database),
                         store->is_read ? "name the folder that `ulpscope run -o` wrote, or run the study again"
                                        : "name another folder, or give --overwrite");
    if (store->is_read && is_shortage(store->database))
        return not_measured("%s: %s: %s; expected a machine with memory, handles and a disk that work; try again", path,
                            what, cause_of(store));
    if (store->is_read && cause == SQLITE_CANTOPEN)
        return bad_input("%s: cannot be read where it is: its run was killed and left %s-wal, which SQLite reads only "
                         "in a folder that it may write to; copy the folder, and report the copy",
                         path, path);
    if (store->is_read)
        return bad_input("%s: %s: %s; expected the run.db of a run that has ended; wait for it, or copy the file", path,
                         what, sqlite3_errmsg(store->database));
    char cause_text[CAUSE_SIZE];
    const int of_system = cause == SQLITE_CANTOPEN ? sqlite3_system_errno(store->database) : 0;
    snprintf(cause_text, sizeof cause_text, "%s%s%s", cause_of(store), of_system ? ": " : "",
             of_system ? strerror(of_system) : "");
    (void)sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL); /* what was begun is not left */
    return not_measured("%s: %s: %s%s", path, what, cause_text, what_is_left(store));
}

enum status store_damaged(const struct store *store, const char *what, ...)
{
    char reason[DAMAGE_SIZE];
    va_list arguments;
    if (is_shortage(store->database))
        return store_failed(store, "cannot be read"); /* it only looked so */
    va_start(arguments, what);
    vsnprintf(reason, sizeof reason, what, arguments);
    va_end(arguments);
    return bad_input(
        "%s: is damaged, or was changed by another program: %s; restore a copy from before, or run the study again%s",
        store->path, reason, store->is_read ? "" : " with --overwrite");
}

enum status store_execute(struct store *store, const char *sql)
{
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK)
        return OK;
    store->has_failed = true;
    return store_failed(store, "cannot be written");
}

enum status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(store->database, sql, -1, statement, NULL) == SQLITE_OK
               ? OK
               : store_failed(store, "cannot be read");
}

enum status store_prepare_insert(struct store *store, const char *table, int columns, sqlite3_stmt **statement)
{
    struct text text = {0};
    text_append(&text, "INSERT INTO %s VALUES(?", table);
    for (int c = 1; c < columns; c++)
        text_append(&text, ",?");
    text_append(&text, ")");
    OWNED char *sql = text_take(&text);
    return store_prepare(store, sql, statement);
}

enum status store_step(struct store *store, sqlite3_stmt *statement)
{
    const int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    if (result == SQLITE_DONE)
        return OK;
    store->has_failed = true;
    return store_failed(store, "cannot be written");
}

enum status store_each_line(struct store *store, const char *query,
                            enum status (*visit)(void *context, sqlite3_stmt *statement), void *context)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, query, &statement));
    enum status status = OK;
    int result = SQLITE_DONE;
    while (status == OK && (result = sqlite3_step(statement)) == SQLITE_ROW)
        status = visit(context, statement);
    if (status == OK && result != SQLITE_DONE)
        status = store_failed(store, "cannot be read");
    sqlite3_finalize(statement);
    return status;
}

static enum status take_number(void *number, sqlite3_stmt *statement)
{
    *(sqlite3_int64 *)number = sqlite3_column_int64(statement, 0);
    return OK;
}

enum status store_number(struct store *store, const char *query, sqlite3_int64 *number)
{
    return store_each_line(store, query, take_number, number);
}

static enum status take_text(void *text, sqlite3_stmt *statement)
{
    free(*(char **)text);
    *(char **)text = memory_copy(store_text(statement, 0));
    return OK;
}

enum status store_word(struct store *store, const char *query, char **text)
{
    return store_each_line(store, query, take_text, text);
}

enum status store_put(struct store *store, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement = NULL;
    va_list values;
    TRY(store_prepare(store, sql, &statement));
    va_start(values, types);
    for (int i = 0; types[i]; i++)
        if (types[i] == 't')
            sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_STATIC);
        else if (types[i] == 'i')
            sqlite3_bind_int64(statement, i + 1, (sqlite3_int64)va_arg(values, uint64_t));
        else
            sqlite3_bind_double(statement, i + 1, va_arg(values, double));
    va_end(values);
    const enum status status = store_step(store, statement);
    sqlite3_finalize(statement);
    return status;
}

const char *store_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    if (!text && sqlite3_errcode(sqlite3_db_handle(statement)) == SQLITE_NOMEM)
        memory_ran_out();
    return text ? text : "";
}
