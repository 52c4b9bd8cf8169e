/* Where the reports of a run go: the files of -o DIR, the flags like --json F, and the table on the terminal. */
#ifndef ULPSCOPE_OUTPUTS_H
#define ULPSCOPE_OUTPUTS_H

#include "results.h"

struct outputs {
    const char *directory; /* -o; NULL: none.  "-" is --csv - */
    const char **exports;  /* a path for each report format, or NULL */
};

/* Refuses what can be refused before hours of measuring. */
enum status outputs_check(struct outputs *outputs);

enum status outputs_write(const struct outputs *outputs, const struct results *results);

#endif
