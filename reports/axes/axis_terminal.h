/* The matrix of axes on a terminal, what follows from it and the first witnesses. */
#pragma once

#include "reports/report.h"
#include "reports/terminal.h"

/* Of the first run; nothing where it varied no axis. */
void axes_on_terminal(const struct report *report, const struct terminal *terminal);

/* The same as the whole output of a report. */
enum status axes_write(const struct report *report, const char *path);
