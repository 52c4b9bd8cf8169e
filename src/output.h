/* Files that appear whole or not at all: written under a temporary name in the same folder, flushed, fsynced, renamed.
 *
 *   struct output out;
 *   TRY(output_open(&out, "out/results.csv"));      "-" is stdout
 *   fprintf(out.file, ...);                         no need to check each one
 *   return output_close(&out);                      any error since then is found here, and complained about
 */
#ifndef ULPSCOPE_OUTPUT_H
#define ULPSCOPE_OUTPUT_H

#include "status.h"

#include <stdio.h>

struct output {
    FILE *file;
    char *path;      /* NULL for stdout */
    char *temporary; /* likewise */
};

enum status output_open(struct output *out, const char *path);

/* Puts the file in its place.  NOT_MEASURED when it could not be written in full; nothing is left behind then. */
enum status output_close(struct output *out);

/* Gives up: removes what was written. */
void output_discard(struct output *out);

#endif
