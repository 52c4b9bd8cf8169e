#include "store_file.h"

enum status store_failed(const struct store *store, const char *what)
{
    const int cause = sqlite3_errcode(store->database);
    const char *path = store->path ? store->path : "store";
    if (cause == SQLITE_NOTADB || cause == SQLITE_CORRUPT) {
        complain("%s: %s; expected the whole run.db of an ulpscope run; %s", path, sqlite3_errmsg(store->database),
                 store->is_read ? "name the folder that `ulpscope run -o` wrote, or run the study again"
                                : "name another folder, or give --overwrite");
        return BAD_INPUT;
    }
    if (store->is_read && cause == SQLITE_CANTOPEN) {
        complain("%s: cannot be read where it is: its run was killed and left %s-wal, which SQLite reads only in a "
                 "folder that it may write to; copy the folder, and report the copy",
                 path, path);
        return BAD_INPUT;
    }
    if (store->is_read) {
        complain("%s: %s: %s; expected the run.db of a run that has ended; wait for it, or copy the file", path, what,
                 sqlite3_errmsg(store->database));
        return BAD_INPUT;
    }
    complain("%s: %s: %s; what was stored before stays valid, --resume continues", path, what,
             sqlite3_errmsg(store->database));
    return NOT_MEASURED;
}

enum status store_execute(struct store *store, const char *sql)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? OK
                                                                             : store_failed(store, "cannot be written");
}

enum status store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(store->database, sql, -1, statement, NULL) == SQLITE_OK
               ? OK
               : store_failed(store, "cannot be read");
}

enum status store_step(struct store *store, sqlite3_stmt *statement)
{
    const int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE ? OK : store_failed(store, "cannot be written");
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

enum status store_put_texts(struct store *store, const char *sql, const char *const *values, int count)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, sql, &statement));
    for (int i = 0; i < count; i++)
        sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_STATIC);
    const enum status status = store_step(store, statement);
    sqlite3_finalize(statement);
    return status;
}

const char *store_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}
