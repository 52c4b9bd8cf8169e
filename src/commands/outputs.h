/* Where the reports of a run go: the files of -o DIR, the flags like --json F, and the table on the terminal. */
#ifndef ULPSCOPE_OUTPUTS_H
#define ULPSCOPE_OUTPUTS_H

#include "reports/report.h"

#include <argp.h>

enum { OUTPUTS_MOST = 32 };
struct outputs {
    const char *directory;             /* -o; NULL: none.  "-" is --csv - */
    const char *exports[OUTPUTS_MOST]; /* a path for each report format, or NULL */
    const char *top_text;              /* --top, or NULL */
    uint64_t top;                      /* what it says, once outputs_check has read it */
};

/* The options of a command: `fixed`, ended by a zero one, and one for each report format that has a flag, in `group`.
 * Allocated; NULL when memory is short. */
struct argp_option *outputs_options(const struct argp_option *fixed, int group);

/* Takes the flag of a report format, and returns true, if the key is of one. */
bool outputs_set(struct outputs *outputs, int key, const char *value);

/* Refuses what can be refused before hours of measuring. */
enum status outputs_check(struct outputs *outputs);

enum status outputs_write(const struct outputs *outputs, const struct report *report);

#endif
