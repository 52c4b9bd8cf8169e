/* Files that appear whole or not at all, in folders that are made: written under a temporary name in the same folder
 * (output.c), flushed, fsynced, renamed.
 *
 *   struct output out;
 *   TRY(output_open(&out, "out/results.csv"));      "-" is stdout
 *   fprintf(out.file, ...);                         no need to check each one
 *   return output_close(&out);                      any error since then is found here, and complained about
 *
 * Behind a symbolic link the file is replaced, not the link.  A device or a pipe is written as it stands: renaming over
 * /dev/null would put a file in its place.  Ctrl-C leaves no temporary file behind (unfinished.h).
 */
#pragma once

#include "src/base/base.h"

struct output {
    FILE *file;
    char *path;      /* NULL for stdout */
    char *temporary; /* NULL for stdout, a device, a pipe */
};

enum status output_open(struct output *out, const char *path);

/* Makes a folder that is not there, and all above it; *made: it was not there. */
enum status output_make_folder(const char *path, bool *made);

/* Whether there can be a file of this name, or a folder to be made, before there is something to write; and that the
 * command neither reads it nor writes it for another flag (claim.h).  path NULL: the flag was not given. */
enum status output_check(const char *flag, const char *path);
enum status output_check_folder(const char *flag, const char *path);

/* Whether `path`, which may be NULL, is stdout. */
bool output_is_stdout(const char *path);

/* A flag and what it names; path NULL: the flag was not given. */
struct output_wish {
    const char *flag, *path;
};

/* Each as output_check. */
enum status output_check_all(const struct output_wish *wishes, size_t count);

/* Puts the file in its place.  NOT_MEASURED when it could not be written in full; nothing is left behind then. */
enum status output_close(struct output *out);

/* After a failure removes what was written and returns the status of that; else output_close. */
enum status output_end(struct output *out, enum status status);
