/* What is reported, and the outputs: one file and one row of formats.def each. */
#pragma once

#include "reports/chart/chart.h"
#include "src/files/output.h"
#include "src/measure/metric.h"

/* The error that the user can live with: --target 2ulp, --target 1e-6. */
struct target {
    const char *text;        /* as it was written; NULL: there is none */
    enum metric metric;      /* METRIC_ulp_error or METRIC_relative_error */
    double limit;            /* at most this */
    const char *of_elements; /* their unit, where it is in that; else NULL */
};

/* BAD_INPUT unless it is a positive number, with "ulp" behind it or, for a relative error, nothing. */
enum status target_read(const char *text, const char *where, struct target *target);

/* One run, or several that are held against the first. */
struct report {
    const struct results *runs;
    const char *const *names; /* of the runs, as the user gave them; "" of a run that was kept nowhere */
    size_t run_count;
    struct target target; /* the error that the user can live with */
    size_t top;           /* lines of a table that are seen at once; 0: all */
};

struct report_format {
    const char *id;
    const char *option;    /* the flag of `ulpscope run` that asks for it, without "--"; NULL: none */
    const char *file_name; /* its name under -o DIR; NULL: not written there */
    bool is_folder;        /* of several files */
    const char *summary;   /* one line */

    /* Writes the whole output to `path`; "-" is stdout. */
    enum status (*write)(const struct report *report, const char *path);
};

const struct report_format *const *report_formats(size_t *count);
const struct report_format *report_find(const char *id);

/* Whether colour was asked for on stdout; set once by main from --color and NO_COLOR. */
extern bool report_colour;

/* What runs that stand beside each other are called: A, B ... Z, AA, AB ... */

enum { RUN_LETTERS = 8 };
void run_letters(size_t run, char letters[RUN_LETTERS]);

/* What the names of a run's pictures begin with: "b-" for the second of several, "" where there is only one. */
enum { RUN_PREFIX = RUN_LETTERS + 1 };
void run_prefix(size_t run, size_t run_count, char prefix[RUN_PREFIX]);
