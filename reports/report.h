/* An output of a run: one file and one row of formats.def. */
#ifndef ULPSCOPE_REPORT_H
#define ULPSCOPE_REPORT_H

#include "../src/results.h"

#include <stdbool.h>

struct report_format {
    const char *id;
    const char *option;    /* the flag of `ulpscope run` that asks for it, without "--"; NULL: none */
    const char *file_name; /* its name under -o DIR; NULL: not written there; a folder ends with "/" */
    const char *summary;   /* one line */

    /* Writes the whole output to `path`; "-" is stdout. */
    enum status (*write)(const struct results *results, const char *path);
};

const struct report_format *report_formats(size_t *count);
const struct report_format *report_find(const char *id);

/* Whether it writes a folder of files. */
bool report_is_folder(const struct report_format *format);

/* Whether colour was asked for on stdout; set once by main from --color and NO_COLOR. */
extern bool report_colour;

#endif
