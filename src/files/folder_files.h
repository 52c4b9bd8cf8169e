/* The list of the files in a folder that are ulpscope's: it may replace them without --overwrite, and removes those
 * that a later report lacks.  The list is a text: a first line that says what it is, then one name per line, relative
 * to the folder. */
#pragma once

#include "src/base/base.h"

struct folder_files {
    char **names;
    size_t count;
    bool is_listed; /* there was a list */
};

/* Where there is no list it is empty.  BAD_INPUT: it names a file outside the folder, or the file is no such list. */
enum status folder_files_read(struct folder_files *files, const char *path);

enum status folder_files_write(const struct folder_files *files, const char *path);
void folder_files_add(struct folder_files *files, const char *name);
bool folder_files_has(const struct folder_files *files, const char *name);
void folder_files_free(struct folder_files *files);
