/* Where a run's database is: DIR/run.db, or DIR/.ulpscope/run.db while it is to replace that one. */
#pragma once

#include "store_file.h"

/* Sets store->path, waits and is_new, claims the files of both places, and makes the folder.  BAD_INPUT or
 * NOT_MEASURED, as the cause is, for a place that cannot be looked at or made. */
enum status store_choose_place(struct store *store, const char *directory, enum store_mode mode, const char *identity);

/* The path of a run that is named by its folder or its file; the caller frees it. */
char *store_path_of(const char *run);

/* One thread at a time uses it.  A code of SQLite. */
int store_open_database(struct store *store, const char *path, int flags);

/* A database is the file and what SQLite keeps beside it: `claim` is called for each (src/files/claim.h); each is
 * removed. */
enum status store_claim(enum status (*claim)(const char *who, const char *path), const char *who, const char *path);
void store_remove(const char *path);
