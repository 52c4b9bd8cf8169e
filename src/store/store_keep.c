#include "store_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

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
