#include "src/base/folder_swap.h"
#include "store_file.h"

#include <stdio.h>
#include <stdlib.h>

bool store_is_in(const char *directory)
{
    static const char query[] = "SELECT 1 FROM sqlite_master WHERE sql LIKE 'CREATE TABLE run(key TEXT PRIMARY KEY%'";
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    char *path = NULL;
    if (asprintf(&path, "%s/" FOLDER_RUN, directory) < 0)
        return false;
    const bool found = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
                       sqlite3_prepare_v2(database, query, -1, &statement, NULL) == SQLITE_OK &&
                       sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    free(path);
    return found;
}
