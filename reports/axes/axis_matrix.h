/* Which change changed the bits: of each method, what came of every axis that the run varied (src/study/axes.def).
 *
 *   axis        kahan/serial   kahan/tree_two_pass
 *   repeat      same           same
 *   launch      same           3 results, up to 1.5 ulp
 *   batch       not varied     not varied
 *
 *   kahan/tree_two_pass: same bits as long as the launch is fixed
 */
#pragma once

#include "reports/report.h"
#include "reports/terminal.h"

enum axis_state {
    AXIS_NOT_ASKED,  /* for: the study does not vary it, or the run was interrupted before */
    AXIS_NOT_VARIED, /* it could not be: `why` of the witness says so */
    AXIS_SAME,       /* no bit changed */
    AXIS_FAILED,     /* nor here, but a variant gave no result: `why` */
    AXIS_DIFFERS,
    AXIS_RESTLESS, /* its bits change from call to call: `why` says so */
};

/* One axis of one method, of all data. */
struct axis_cell {
    enum axis_state state;
    uint64_t variants;                 /* of all data */
    uint64_t results;                  /* different ones of one data set, the most */
    double spread;                     /* the largest, in ulp(s); NaN where a result is no number */
    const struct varied_axis *witness; /* the first in this state, or with a wrong result; NULL: AXIS_NOT_ASKED */
};

struct axis_column {
    char *name; /* "kahan/serial", "kahan/serial (cuda)" */
    const char *method;
    const struct backend *backend;
    struct axis_cell cells[AXES];
};

struct axis_matrix {
    struct axis_column *columns; /* by method, as in the study */
    size_t count;
};

/* Of a run that varied nothing it has no column. */
void axis_matrix_make(const struct results *results, struct axis_matrix *matrix);
void axis_matrix_free(struct axis_matrix *matrix);

/* Whether one of its results is farther from the exact one than its bound, as `why` then says. */
bool axis_is_wrong(const struct varied_axis *varied);

/* Whether some column has the axis. */
bool axis_is_in(const struct axis_matrix *matrix, enum axis axis);

/* "same", "same in 20 calls" of repeats, "3 results, up to 1.5 ulp, wrong", "not varied", "failed"; "" of what was not
 * asked for. */
enum { AXIS_TEXT = 64 };
void axis_cell_text(const struct axis_cell *cell, char text[AXIS_TEXT]);

#define AXIS_LEGEND                                                                                                    \
    "One thing varied at a time, on the first trial of each kind of data; how many different results, and how far "    \
    "apart."
#define AXIS_WITNESSES "The first variant of each axis whose bits differ:"

/* A line for each axis, a column for each of the matrix; is_explained: under each axis what is varied. */
struct grid axis_grid(const struct axis_matrix *matrix, bool is_explained);

/* A line for each method and axis with other bits: the first variant that has them, and, if has_commands, what varies
 * it again. */
struct grid axis_witnesses(const struct axis_matrix *matrix, bool has_commands);

/* What its bits are written as: of several results, as the elements of a matrix product, they are a hash, which is
 * written with all of its 64 bits. */
const struct format *axis_format_of_bits(const struct varied_axis *varied);

/* What came of the axes of one series: of its method, data, backend and launch.  Its name is NULL. */
struct axis_column axis_column_of(const struct results *results, const struct series *series);

/* "same bits as long as the launch is fixed".  Allocated. */
char *axis_fixed(const struct axis_column *column);

/* The same behind the name: "kahan/serial: same bits as long as the launch is fixed".  Allocated. */
char *axis_sentence(const struct axis_column *column);

/* Why what was not varied was not, and what failed: a line for each axis and reason, "batch was not varied: its kernels
 * take no rows (kahan/serial, plain/serial)", without the methods where it is of all of them.  Allocated; "" where all
 * was varied. */
char *axis_reasons(const struct axis_matrix *matrix);

/* "process,stream": the axes of which the run knows nothing; "": of all it does.  Allocated. */
char *axes_left(const struct axis_matrix *matrix);

/* The matrix of axes on a terminal, what follows from it and the first witnesses. */

/* Of the first run; nothing where it varied no axis. */
void axes_on_terminal(const struct report *report, const struct terminal *terminal);

/* The same as the whole output of a report. */
enum status axes_write(const struct report *report, const char *path);
