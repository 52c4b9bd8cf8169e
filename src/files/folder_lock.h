/* One ulpscope at a time writes into a folder.  It holds a lock, from the first look at the folder to the last byte.
 *
 *   struct folder_lock lock = {0};
 *   TRY(folder_lock_take(&lock, "out"));     makes a missing folder; BAD_INPUT: another ulpscope has it
 *   ...                                      look, decide, write
 *   folder_lock_release(&lock);
 *
 * The lock is that of fcntl(2) on the file .ulpscope.lock in the folder.  The kernel drops it with the process, however
 * that ends, and names the process that holds it.  The holder removes the file; one that a killed process left is free.
 */
#pragma once

#include "src/base/base.h"

/* Stays where it is while it is held; zeroed, it is not held. */
struct folder_lock {
    char *folder, *path; /* path: of the file */
    int file;
    bool made; /* the folder was not there */
    struct folder_lock *next;
};

/* A caller who is refused has made, changed and removed nothing.  A folder that this process holds already is locked
 * once: until the first of its locks is released. */
enum status folder_lock_take(struct folder_lock *lock, const char *folder);

/* The same for the folder of a file. */
enum status folder_lock_take_of(struct folder_lock *lock, const char *file);

/* Removes a folder that it made and that is still empty. */
void folder_lock_release(struct folder_lock *lock);
