#include "src/files/claim.h"
#include "src/files/folder_swap.h"
#include "src/files/output.h"
#include "store_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a database and its files ---- */

static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
enum { ENDINGS = sizeof endings / sizeof *endings };

enum status store_claim(enum status (*claim)(const char *who, const char *path), const char *who, const char *path)
{
    for (size_t i = 0; i < ENDINGS; i++) {
        OWNED char *name = text_made("%s%s", path, endings[i]);
        TRY(claim(who, name));
    }
    return OK;
}

void store_remove(const char *path)
{
    for (size_t i = 0; i < ENDINGS; i++) {
        OWNED char *name = text_made("%s%s", path, endings[i]);
        unlink(name);
    }
}

int store_open_database(struct store *store, const char *path, int flags)
{
    return sqlite3_open_v2(path, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL);
}

/* ---- what is there ---- */

/* An empty file is what `sqlite3` leaves of a name that was not there. */
static enum status look_at(const char *path, bool *is_there)
{
    struct stat facts = {0};
    const int cause = stat(path, &facts) == 0 ? 0 : errno;
    *is_there = facts.st_size > 0;
    if (cause == 0 || cause == ENOENT || cause == ENOTDIR)
        return OK;
    return caused_by(cause, "%s: cannot be looked at: %s; expected a run, or none; it is as it was; try again", path,
                     strerror(cause));
}

/* Says nothing: a database that cannot be read holds another run. */
static bool holds(const char *path, const char *identity)
{
    struct store other = {0};
    sqlite3_stmt *statement = NULL;
    bool same = false;
    if (store_open_database(&other, path, SQLITE_OPEN_READWRITE) == SQLITE_OK && store_guard(&other) == OK &&
        sqlite3_prepare_v2(other.database, "SELECT value FROM run WHERE key = 'identity'", -1, &statement, NULL) ==
            SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        same = strcmp(store_text(statement, 0), identity) == 0;
    if (sqlite3_errcode(other.database) == SQLITE_NOMEM)
        memory_ran_out();
    sqlite3_finalize(statement);
    sqlite3_close(other.database);
    return same;
}

/* ---- the place ---- */

static enum status make_own_folder(const char *directory)
{
    OWNED char *own = text_made("%s/" FOLDER_OWN, directory);
    bool made;
    return output_make_folder(own, &made);
}

/* A new run waits beside the one that it is to replace.  --resume goes on with it, if it is the one that is meant. */
static enum status choose(struct store *store, const char *settled, const char *waiting, enum store_mode mode,
                          const char *identity)
{
    bool has_settled, has_waiting;
    TRY(store_claim(claim_to_write, "-o", settled));
    TRY(store_claim(claim_to_write, "-o", waiting));
    if (mode == STORE_OVERWRITE)
        store_remove(waiting);
    TRY(look_at(settled, &has_settled));
    TRY(look_at(waiting, &has_waiting));
    if (mode == STORE_OVERWRITE)
        store->waits = has_settled;
    else
        store->waits = has_waiting && (!has_settled || (mode == STORE_RESUME && holds(waiting, identity)));
    store->is_new = store->waits ? !has_waiting : !has_settled;
    return OK;
}

enum status store_choose_place(struct store *store, const char *directory, enum store_mode mode, const char *identity)
{
    char *settled = text_made("%s/" FOLDER_RUN, directory);
    char *waiting = text_made("%s/" FOLDER_OWN "/" FOLDER_RUN, directory);
    const enum status status = choose(store, settled, waiting, mode, identity);
    store->path = store->waits ? waiting : settled;
    free(store->waits ? settled : waiting);
    TRY(status);
    TRY(output_make_folder(directory, &store->made_directory));
    return store->waits ? make_own_folder(directory) : OK;
}

/* "out", "out/" and "out/run.db" are the same. */
char *store_path_of(const char *run)
{
    struct stat facts;
    const bool is_folder = stat(run, &facts) == 0 && S_ISDIR(facts.st_mode);
    const char *const slash = is_folder && run[strlen(run) - 1] != '/' ? "/" : "";
    return text_made("%s%s%s", run, slash, is_folder ? FOLDER_RUN : "");
}

/* "ulpscope-interrupted", or with a number behind it, where those before are there. */
static enum status make_folder(char folder[KEPT_NAME])
{
    enum { FOLDERS_MOST = 1000 };
    for (int i = 1; i < FOLDERS_MOST; i++) {
        snprintf(folder, KEPT_NAME, i == 1 ? KEPT_FOLDER : KEPT_FOLDER "-%d", i);
        if (mkdir(folder, 0777) == 0)
            return OK;
        if (errno != EEXIST)
            break;
    }
    return not_measured("%s: cannot be made: %s; what was measured is lost", folder, strerror(errno));
}

enum status store_keep(struct store *store, char folder[KEPT_NAME])
{
    char path[KEPT_NAME + sizeof "/run.db"];
    sqlite3_stmt *statement = NULL;
    TRY(make_folder(folder));
    snprintf(path, sizeof path, "%s/run.db", folder);
    enum status status = store_prepare(store, "VACUUM INTO ?", &statement);
    if (status == OK) {
        sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
        status = store_step(store, statement);
    }
    sqlite3_finalize(statement);
    if (status == OK)
        return OK;
    unlink(path);
    rmdir(folder);
    return status;
}
