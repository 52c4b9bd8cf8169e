/* Runs gnuplot on a script and takes what it prints.  No shell is started, and no file is left behind, whatever
 * happens: script and output are files without a name, in TMPDIR or /tmp, so that no pipe can fill up either.
 */
#ifndef ULPSCOPE_GNUPLOT_H
#define ULPSCOPE_GNUPLOT_H

#include "src/base/status.h"

#include <stddef.h>

enum { GNUPLOT_REASON = 256 };

/* OK with *output == NULL and a reason when there is no gnuplot or it failed: a report can do without pictures. */
enum status gnuplot_run(const char *script, char **output, size_t *length, char reason[GNUPLOT_REASON]);

#endif
