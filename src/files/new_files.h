/* Small files that appear in a folder together: all of them, whole, or none.
 *
 *   struct new_files files = {0};
 *   new_files_add(&files, "study.yaml", text, length);
 *   TRY_DONE(new_files_write(&files, "plugin new", "mine", false));
 *   new_files_free(&files);
 *
 * Only a kill, while the finished files are renamed, one after the other, leaves some of them.
 */
#pragma once

#include "src/base/base.h"

struct new_file {
    char *name; /* relative to the folder */
    char *text;
    size_t length;
};

struct new_files {
    struct new_file *files;
    size_t count, capacity;
};

/* All of a file; what is read is allocated, and ends in a '\0' beyond its length.  `what` begins the message of a
 * failure. */
enum status text_file_read(const char *what, const char *path, char **text, size_t *length);

/* Takes the text, which is allocated. */
void new_files_add(struct new_files *files, const char *name, char *text, size_t length);

/* Makes the folder if need be, and while it writes has its lock.  Without `replaces` refuses when one of the files is
 * there already with other bytes; it names them all.  So the same call finishes what a killed one began. */
enum status new_files_write(const struct new_files *files, const char *what, const char *folder, bool replaces);

void new_files_free(struct new_files *files);
