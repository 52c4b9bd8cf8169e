#include "src/base/output.h"
#include "store_study.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIFFERENCE_SIZE = 400 };

/* The columns of results.csv, and before them the place of the row in the study. */
static const char schema[] =
    "CREATE TABLE run(key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE provenance(topic TEXT, name TEXT, value TEXT, PRIMARY KEY(topic, name));"
    "CREATE TABLE methods(method_index INTEGER PRIMARY KEY, id TEXT, accumulator TEXT, addition_order TEXT,"
    " accumulator_claim TEXT, order_claim TEXT, determinism INTEGER, slow_above INTEGER, is_black_box INTEGER, format "
    "TEXT, operation TEXT);"
    "CREATE TABLE launches(launch_index INTEGER PRIMARY KEY, blocks INTEGER, threads INTEGER);"
    "CREATE TABLE entries(entry INTEGER PRIMARY KEY, text TEXT, trials INTEGER, permuted INTEGER);"
    "CREATE TABLE specs(entry INTEGER, spec INTEGER, text TEXT, unordered TEXT, family TEXT, arguments TEXT,"
    " PRIMARY KEY(entry, spec));"
    "CREATE TABLE speeds(launch_index INTEGER, backend_index INTEGER, method_index INTEGER, n INTEGER, bytes INTEGER,"
    " rounds INTEGER, microseconds REAL, median REAL, PRIMARY KEY(launch_index, backend_index, method_index));"
    "CREATE TABLE cases(case_index INTEGER PRIMARY KEY);" /* the finished ones; an unfinished one has results alone */
    "CREATE TABLE results("
    " case_index INTEGER, launch_index INTEGER, backend_index INTEGER, method_index INTEGER, repeat INTEGER,"
    " entry INTEGER, spec INTEGER, method TEXT, data TEXT, n INTEGER, format TEXT, operation TEXT, seed INTEGER,"
    " trial INTEGER, backend TEXT, device TEXT, blocks INTEGER, threads INTEGER, computed REAL, computed_bits INTEGER,"
    " exact TEXT, nearest_bits INTEGER,"
#define METRIC(id, summarised, unit, meaning) " " #id " REAL,"
#include "src/measure/metrics.def"
    " condition REAL, bound REAL, class TEXT, height INTEGER, probable_bound REAL, weight INTEGER,"
    " PRIMARY KEY(case_index, launch_index, backend_index, method_index, repeat)) WITHOUT ROWID;";

/* ---- opening ---- */

static enum status create(struct store *store, const char *identity)
{
    static const char *const version[] = {STORE_SCHEMA};
    TRY(store_execute(store, "BEGIN"));
    TRY(store_execute(store, schema));
    TRY(store_put_texts(store, "INSERT INTO run VALUES('schema', ?)", version, 1));
    TRY(store_put_texts(store, "INSERT INTO run VALUES('identity', ?)", &identity, 1));
    TRY(store_put_study(store));
    return store_execute(store, "COMMIT");
}

/* Whether the database is one of ours, or has nothing in it; what belongs to somebody else is left alone. */
static enum status recognise(struct store *store, bool *is_empty)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store,
                      "SELECT count(*), count(CASE WHEN sql LIKE 'CREATE TABLE run(key TEXT PRIMARY KEY%' THEN 1 END)"
                      " FROM sqlite_master",
                      &statement));
    const bool read = sqlite3_step(statement) == SQLITE_ROW;
    *is_empty = sqlite3_column_int64(statement, 0) == 0;
    const bool is_ours = sqlite3_column_int64(statement, 1) == 1;
    sqlite3_finalize(statement);
    if (!read)
        return store_failed(store, "cannot be read");
    if (*is_empty || is_ours)
        return OK;
    complain("%s: is a database of something else; expected the run.db of an ulpscope run; name another folder",
             store->path);
    return BAD_INPUT;
}

/* The version of the tables. */
static enum status check_schema(struct store *store)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, "SELECT value FROM run WHERE key = 'schema'", &statement));
    const int result = sqlite3_step(statement);
    char found[64] = "ulpscope-store/1"; /* which did not say so */
    if (result == SQLITE_ROW)
        snprintf(found, sizeof found, "%s", store_text(statement, 0));
    sqlite3_finalize(statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        return store_failed(store, "cannot be read");
    if (strcmp(found, STORE_SCHEMA) == 0)
        return OK;
    complain("%s: was written by another version of ulpscope, as %s; expected %s; %s", store->path, found, STORE_SCHEMA,
             store->is_read ? "read it with that version, or run the study again"
                            : "name another folder, or give --overwrite");
    return BAD_INPUT;
}

/* The first line in which the two texts part, for the complaint. */
static void find_difference(const char *stored, const char *wanted, char text[DIFFERENCE_SIZE])
{
    size_t start = 0, i = 0;
    for (; stored[i] == wanted[i] && stored[i] != '\0'; i++)
        if (stored[i] == '\n')
            start = i + 1;
    snprintf(text, DIFFERENCE_SIZE, "there \"%.*s\", here \"%.*s\"", (int)strcspn(stored + start, "\n"), stored + start,
             (int)strcspn(wanted + start, "\n"), wanted + start);
}

static enum status check_identity(struct store *store, const char *identity)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, "SELECT value FROM run WHERE key = 'identity'", &statement));
    const bool found = sqlite3_step(statement) == SQLITE_ROW;
    const char *stored = found ? store_text(statement, 0) : "";
    const bool same = strcmp(stored, identity) == 0;
    char difference[DIFFERENCE_SIZE];
    find_difference(stored, identity, difference);
    sqlite3_finalize(statement);
    if (same)
        return OK;
    complain(
        "%s: holds another study, device or version: %s; expected the same to --resume; repeat the command as it was, "
        "name another folder, or give --overwrite",
        store->path, difference);
    return BAD_INPUT;
}

static enum status note_finished_case(void *context, sqlite3_stmt *statement)
{
    struct store *store = context;
    const uint64_t index = (uint64_t)sqlite3_column_int64(statement, 0);
    if (index < study_case_count(store->study))
        store->has_case[index] = 1;
    store->case_count++;
    return OK;
}

static enum status read_finished_cases(struct store *store)
{
    store->has_case = calloc(study_case_count(store->study) + 1, 1);
    if (!store->has_case)
        return out_of_memory("the list of finished cases");
    return store_each_line(store, "SELECT case_index FROM cases", note_finished_case, store);
}

static enum status look_for_rows(struct store *store)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, "SELECT EXISTS(SELECT 1 FROM results)", &statement));
    const bool read = sqlite3_step(statement) == SQLITE_ROW;
    store->has_rows = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return read ? OK : store_failed(store, "cannot be read");
}

static void remove_database(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *name = NULL;
        if (asprintf(&name, "%s%s", path, endings[i]) >= 0) {
            unlink(name);
            free(name);
        }
    }
}

static enum status open_file(struct store *store, const char *directory, enum store_mode mode)
{
    TRY(output_make_folder(directory, &store->made_directory));
    if (asprintf(&store->path, "%s/run.db", directory) < 0) {
        store->path = NULL;
        return out_of_memory("a file name");
    }
    if (mode == STORE_OVERWRITE)
        remove_database(store->path);
    struct stat facts; /* an empty file is what `sqlite3` leaves of a name that was not there */
    store->is_new = stat(store->path, &facts) != 0 || facts.st_size == 0;
    if (mode == STORE_NEW && !store->is_new) {
        complain("%s: already holds a run; expected a new folder; --resume continues it, --overwrite replaces it",
                 store->path);
        return BAD_INPUT;
    }
    if (sqlite3_open(store->path, &store->database) != SQLITE_OK) {
        complain("%s: cannot be opened: %s; name a folder that you may write to", store->path,
                 sqlite3_errmsg(store->database));
        return BAD_INPUT;
    }
    return OK;
}

enum status store_open(const char *directory, enum store_mode mode, const struct study *study, const char *identity,
                       const char *device, struct store **opened)
{
    static const char insert_row[] = "INSERT OR REPLACE INTO results VALUES("
                                     "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
#define METRIC(id, summarised, unit, meaning) "?,"
#include "src/measure/metrics.def"
                                     "?,?,?,?,?,?)";
    enum status status;
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return out_of_memory("the store");
    store->study = study;
    store->device = device;
    if (directory)
        TRY_DONE(open_file(store, directory, mode));
    else if (sqlite3_open(":memory:", &store->database) != SQLITE_OK)
        TRY_DONE(store_failed(store, "cannot be made"));
    bool is_empty;
    TRY_DONE(store_execute(store, "PRAGMA locking_mode = EXCLUSIVE"));
    TRY_DONE(recognise(store, &is_empty));
    /* WAL with NORMAL: a transaction survives the program's death at any moment, without an fsync for each case. */
    TRY_DONE(store_execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"));
    if (is_empty) {
        TRY_DONE(create(store, identity));
    } else {
        TRY_DONE(check_schema(store));
        TRY_DONE(check_identity(store, identity));
    }
    TRY_DONE(read_finished_cases(store));
    TRY_DONE(look_for_rows(store));
    TRY_DONE(store_prepare(store, insert_row, &store->insert_row));
    TRY_DONE(store_prepare(store, "INSERT INTO cases VALUES(?)", &store->insert_case));
done:
    if (status == OK)
        *opened = store;
    else
        (void)store_close(store);
    return status;
}

/* "out", "out/" and "out/run.db" are the same. */
static char *path_of_run(const char *path)
{
    struct stat facts;
    char *name = NULL;
    const bool is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    const char *const slash = is_folder && path[strlen(path) - 1] != '/' ? "/" : "";
    return asprintf(&name, "%s%s%s", path, slash, is_folder ? "run.db" : "") < 0 ? NULL : name;
}

static enum status look_for_file(const struct store *store)
{
    struct stat facts;
    if (stat(store->path, &facts) != 0 || access(store->path, R_OK) != 0) {
        complain("%s: %s; expected a run; name the folder that `ulpscope run -o` wrote", store->path, strerror(errno));
        return BAD_INPUT;
    }
    if (facts.st_size > 0)
        return OK;
    complain("%s: is empty; expected the run.db of an ulpscope run; run the study again", store->path);
    return BAD_INPUT;
}

static enum status count_cases(struct store *store)
{
    sqlite3_stmt *statement = NULL;
    TRY(store_prepare(store, "SELECT count(*) FROM cases", &statement));
    const bool read = sqlite3_step(statement) == SQLITE_ROW;
    store->case_count = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return read ? OK : store_failed(store, "cannot be read");
}

enum status store_open_to_read(const char *path, struct store **opened)
{
    enum status status;
    bool is_empty;
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return out_of_memory("the store");
    store->is_read = true;
    store->path = path_of_run(path);
    if (!store->path)
        TRY_DONE(out_of_memory("a file name"));
    TRY_DONE(look_for_file(store));
    if (sqlite3_open_v2(store->path, &store->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        TRY_DONE(store_failed(store, "cannot be opened"));
    TRY_DONE(recognise(store, &is_empty));
    TRY_DONE(check_schema(store));
    TRY_DONE(count_cases(store));
    TRY_DONE(look_for_rows(store));
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
    remove_database(store->path);
    if (!store->made_directory)
        return;
    *strrchr(store->path, '/') = '\0';
    rmdir(store->path);
}

enum status store_close(struct store *store)
{
    enum status status = OK;
    if (!store)
        return OK;
    const bool opened = store->insert_case; /* the last thing that store_open makes */
    sqlite3_finalize(store->insert_row);
    sqlite3_finalize(store->insert_case);
    if (opened && store->path)
        status = store_execute(store, "PRAGMA journal_mode = DELETE"); /* one file, no -wal beside it */
    if (sqlite3_close(store->database) != SQLITE_OK)
        status = store_failed(store, "cannot be closed");
    if (store->is_new && !store->has_rows)
        remove_empty(store);
    free(store->has_case);
    free(store->path);
    free(store);
    return status;
}

/* ---- cases that are there ---- */

bool store_has_case(const struct store *store, uint64_t index)
{
    return store->has_case[index];
}

uint64_t store_case_count(const struct store *store)
{
    return store->case_count;
}

bool store_has_rows(const struct store *store)
{
    return store->has_rows;
}
