/* What lacks data sets says so in its first line, in every format. */
#pragma once

#include "report.h"
#include "terminal.h"

bool report_is_incomplete(const struct report *report);

/* "Incomplete: 29 of 30 data sets were summed."; of several runs "Incomplete: 29 of 30 data sets of B were summed.", a
 * sentence each; "" when none is.  Allocated. */
char *incomplete_sentence(const struct report *report);

/* It as the first line on a terminal; nothing where no run is. */
void incomplete_on_terminal(const struct report *report, const struct terminal *terminal);

/* What a CSV has after its own columns, up to a NULL: "run", of several, and "incomplete", where one is. */
struct more_columns {
    const char *list[3];
    char incomplete[48];
};
void more_heads(const struct report *report, struct more_columns *heads);
void more_cells(const struct report *report, size_t run, struct more_columns *cells); /* "29 of 30" */
