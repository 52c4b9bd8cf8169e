/* A line of results.csv.  The columns are a contract: they are only added to, at the end, where every metric stands
 * that metrics.def has beyond the contract's. */
#pragma once

#include "src/results/results.h"

#include <stdio.h>

/* `more`: columns after the others, up to a NULL; NULL: none. */
void csv_write_header(FILE *file, const char *const *more);
void csv_write_row(FILE *file, const struct result *row, const char *const *more);
