/* Files that appear whole or not at all: written under a temporary name in the same folder, flushed, fsynced, renamed.
 *
 *   struct output out;
 *   TRY(output_open(&out, "out/results.csv"));      "-" is stdout
 *   fprintf(out.file, ...);                         no need to check each one
 *   return output_close(&out);                      any error since then is found here, and complained about
 *
 * Behind a symbolic link the file is replaced, not the link.  A device or a pipe is written as it stands: renaming over
 * /dev/null would put a file in its place.
 */
#ifndef ULPSCOPE_OUTPUT_H
#define ULPSCOPE_OUTPUT_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output {
    FILE *file;
    char *path;      /* NULL for stdout */
    char *temporary; /* NULL for stdout, a device, a pipe */
};

enum status output_open(struct output *out, const char *path);

/* Whether there can be a file (or a folder, to be made) of this name, before there is something to write. */
enum status output_check(const char *path);

/* Whether `path`, which may be NULL, is stdout. */
bool output_is_stdout(const char *path);

/* The paths of a command's outputs, NULL for those that nobody asked for: whether there can be files of these names,
 * one of each, and whether no more than one output goes to stdout.  Complains and returns BAD_INPUT. */
enum status output_check_all(const char *command, const char *const *paths, size_t count);

/* Puts the file in its place.  NOT_MEASURED when it could not be written in full; nothing is left behind then. */
enum status output_close(struct output *out);

/* Gives up: removes what was written. */
void output_discard(struct output *out);

#endif
