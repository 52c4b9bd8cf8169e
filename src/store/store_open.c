#include "src/files/claim.h"
#include "store_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- opening ---- */

static enum status create(struct store *store, const char *identity)
{
    store_unguard(store);
    TRY(store_begin(store));
    TRY(store_execute(store, store_tables));
    TRY(store_put(store, "INSERT INTO run VALUES('schema', ?)", "t", STORE_SCHEMA));
    TRY(store_put(store, "INSERT INTO run VALUES('identity', ?)", "t", identity));
    TRY(store_put_study(store));
    store->has_new_facts = true;
    return store_end(store);
}

/* Whether the database is one of ours, or has nothing in it; what belongs to somebody else is left alone. */
static enum status recognise(struct store *store, bool *is_empty)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store,
                      "SELECT count(*), count(CASE WHEN sql LIKE 'CREATE TABLE run(key TEXT PRIMARY KEY%' THEN 1 END) "
                      "FROM sqlite_master",
                      &statement));
    const bool read = sqlite3_step(statement) == SQLITE_ROW;
    *is_empty = sqlite3_column_int64(statement, 0) == 0;
    const bool is_ours = sqlite3_column_int64(statement, 1) == 1;
    sqlite3_finalize(statement);
    if (!read)
        return store_failed(store, "cannot be read");
    if (*is_empty || is_ours)
        return OK;
    return bad_input("%s: is a database of something else; expected the run.db of an ulpscope run; name another folder",
                     store->path);
}

/* The version of the tables. */
static enum status check_schema(struct store *store)
{
    OWNED char *found = memory_copy("ulpscope-store/1"); /* which did not say so */
    TRY(store_word(store, "SELECT value FROM run WHERE key = 'schema'", &found));
    if (strcmp(found, STORE_SCHEMA) == 0)
        return OK;
    return bad_input("%s: was written by another version of ulpscope, as %.63s; expected %s; %s", store->path, found,
                     STORE_SCHEMA,
                     store->is_read ? "read it with that version, or run the study again"
                                    : "name another folder, or give --overwrite");
}

static size_t first_other_line(const char *stored, const char *wanted)
{
    size_t start = 0;
    for (size_t i = 0; stored[i] == wanted[i] && stored[i] != '\0'; i++)
        if (stored[i] == '\n')
            start = i + 1;
    return start;
}

static enum status check_identity(struct store *store, const char *identity)
{
    OWNED char *stored = memory_copy("");
    TRY(store_word(store, "SELECT value FROM run WHERE key = 'identity'", &stored));
    if (strcmp(stored, identity) == 0)
        return OK;
    const size_t at = first_other_line(stored, identity);
    return bad_input("%s: holds another study, device or version: there \"%.*s\", here \"%.*s\"; expected the same to "
                     "--resume; repeat the "
                     "command as it was, name another folder, or give --overwrite",
                     store->path, (int)strcspn(stored + at, "\n"), stored + at, (int)strcspn(identity + at, "\n"),
                     identity + at);
}

static enum status note_case(void *context, sqlite3_stmt *statement)
{
    struct store *store = context;
    const uint64_t index = (uint64_t)sqlite3_column_int64(statement, 0);
    const bool is_finished = sqlite3_column_int(statement, 1);
    if (index < study_case_count(store->study))
        store->has_case[index] = is_finished ? HAS_FINISHED : HAS_UNFINISHED;
    return OK;
}

static enum status read_cases(struct store *store)
{
    store->has_case = calloc(study_case_count(store->study) + 1, 1);
    if (!store->has_case)
        return out_of_memory("the list of finished cases");
    return store_each_line(store, "SELECT case_index, is_finished FROM cases", note_case, store);
}

static enum status count_rows(struct store *store)
{
    sqlite3_int64 finished = 0, has_rows = 0;
    TRY(store_number(store, "SELECT count(*) FROM cases WHERE is_finished", &finished));
    TRY(store_number(store, "SELECT EXISTS(SELECT 1 FROM measured)", &has_rows));
    store->case_count = (uint64_t)finished;
    store->has_rows = has_rows;
    return OK;
}

/* The run.db in the folder.  BAD_INPUT where there is a run and none was expected. */
static enum status open_file(struct store *store, const char *directory, enum store_mode mode, const char *identity)
{
    TRY(store_choose_place(store, directory, mode, identity));
    if (mode == STORE_NEW && !store->is_new)
        return bad_input("%s: already holds a run; expected a new folder; the command that began it continues it with "
                         "--resume, --overwrite replaces it",
                         store->path);
    if (store->is_new)
        store_remove(store->path); /* a log without its database */
    if (store_open_database(store, store->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) != SQLITE_OK) {
        const int cause = sqlite3_system_errno(store->database);
        if (sqlite3_errcode(store->database) == SQLITE_NOMEM)
            return out_of_memory("the store");
        complain("%s: cannot be opened: %s; name a folder that you may write to", store->path,
                 sqlite3_errmsg(store->database));
        if (cause == ENOENT) /* SQLite has tried again without making it, and forgot the cause of the first try */
            return NOT_MEASURED;
        return cause == 0 ? BAD_INPUT : status_of_cause(cause);
    }
    return OK;
}

enum status store_open(const char *directory, enum store_mode mode, const struct study *study, const char *identity,
                       const char *device, struct store **opened)
{
    enum status status;
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return out_of_memory("the store");
    store->study = study;
    store->device = device;
    if (directory)
        TRY_DONE(open_file(store, directory, mode, identity));
    else if (store_open_database(store, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) != SQLITE_OK)
        TRY_DONE(store_failed(store, "cannot be made"));
    bool is_empty;
    TRY_DONE(store_execute(store, "PRAGMA locking_mode = EXCLUSIVE"));
    TRY_DONE(store_guard(store));
    TRY_DONE(recognise(store, &is_empty));
    if (!is_empty) {
        TRY_DONE(check_schema(store));
        TRY_DONE(store_verify(store));
        TRY_DONE(check_identity(store, identity));
    }
    /* WAL with NORMAL: a transaction survives the program's death at any moment, without an fsync for each case. */
    TRY_DONE(store_execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"));
    if (is_empty)
        TRY_DONE(create(store, identity));
    TRY_DONE(read_cases(store));
    TRY_DONE(count_rows(store));
    TRY_DONE(store_prepare_case(store));
done:
    if (status == OK)
        *opened = store;
    else
        (void)store_close(store);
    return status;
}

static enum status look_for_file(const struct store *store)
{
    struct stat facts;
    if (stat(store->path, &facts) != 0 || access(store->path, R_OK) != 0) {
        const int cause = errno;
        return caused_by(cause, "%s: %s; expected a run; name the folder that `ulpscope run -o` wrote", store->path,
                         strerror(cause));
    }
    if (facts.st_size > 0)
        return OK;
    return bad_input("%s: is empty; expected the run.db of an ulpscope run; run the study again", store->path);
}

enum status store_open_to_read(const char *path, struct store **opened)
{
    enum status status;
    bool is_empty;
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return out_of_memory("the store");
    store->is_read = true;
    store->path = store_path_of(path);
    TRY_DONE(look_for_file(store));
    TRY_DONE(store_claim(claim_to_read, "run", store->path));
    if (store_open_database(store, store->path, SQLITE_OPEN_READONLY) != SQLITE_OK)
        TRY_DONE(store_failed(store, "cannot be opened"));
    TRY_DONE(store_guard(store));
    TRY_DONE(store_execute(store, "BEGIN")); /* what is verified is what is read */
    TRY_DONE(recognise(store, &is_empty));
    TRY_DONE(check_schema(store));
    TRY_DONE(store_verify(store));
    TRY_DONE(count_rows(store));
done:
    if (status == OK)
        *opened = store;
    else
        (void)store_close(store);
    return status;
}

/* A run that ended before its first case leaves no folder that the next one would have to --overwrite. */
static void remove_empty(struct store *store)
{
    store_remove(store->path);
    if (!store->made_directory)
        return;
    *strrchr(store->path, '/') = '\0';
    rmdir(store->path);
}

/* What a reader of an unfinished run made beside it. */
static void remove_shared_memory(const char *path)
{
    OWNED char *name = text_made("%s-shm", path);
    unlink(name);
}

/* One file, no -wal beside it.  A second try would fail for the same cause, and complain again. */
enum status store_settle(struct store *store)
{
    static const char settle[] = "PRAGMA journal_mode = DELETE";
    if (!store->path || store->is_settled)
        return OK;
    store->is_settled = true;
    if (store->has_failed)
        return sqlite3_exec(store->database, settle, NULL, NULL, NULL) == SQLITE_OK ? OK : NOT_MEASURED;
    TRY(store_execute(store, settle));
    remove_shared_memory(store->path);
    return OK;
}

bool store_waits(const struct store *store)
{
    return store->waits;
}

enum status store_close(struct store *store)
{
    enum status status = OK;
    if (!store)
        return OK;
    const bool opened = store->insert_case; /* the last thing that store_open makes */
    store_finish_case(store);
    if (store->database && !sqlite3_get_autocommit(store->database))
        (void)sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL); /* what was begun and not ended */
    if (opened)
        status = store_settle(store);
    if (sqlite3_close(store->database) != SQLITE_OK)
        status = store_failed(store, "cannot be closed");
    if (store->is_new && !store->has_rows)
        remove_empty(store);
    free_all(store->has_case, store->path, store);
    return status;
}

/* ---- cases that are there ---- */

bool store_has_case(const struct store *store, uint64_t index)
{
    return store->has_case[index] == HAS_FINISHED;
}

uint64_t store_case_count(const struct store *store)
{
    return store->case_count;
}

bool store_has_rows(const struct store *store)
{
    return store->has_rows;
}
