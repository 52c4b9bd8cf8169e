/* Temporary files.  Until an output is whole it has another name in the same folder: ".ulpscope-" and six letters.
 *
 * Its writer holds a lock on it, flock(2), which the kernel drops with the process.  So a temporary file that can be
 * locked was left by a killed process, and the next process that makes one in this folder removes it.  Files that
 * another process is writing, files of other users, and other names are left alone.
 */
#pragma once

/* Makes one beside `path`, open for writing and locked until it is closed; *name is allocated.  On failure
 * -1 and errno, and *name is NULL. */
int temporary_make(const char *path, char **name);
