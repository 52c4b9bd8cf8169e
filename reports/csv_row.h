/* A line of results.csv.  The columns are a contract: they are only added to, at the end, where every metric stands
 * that metrics.def has beyond the contract's. */
#ifndef ULPSCOPE_CSV_ROW_H
#define ULPSCOPE_CSV_ROW_H

#include "src/results/results.h"

#include <stdio.h>

/* `last` NULL: no column after the others. */
void csv_write_header(FILE *file, const char *last);
void csv_write_row(FILE *file, const struct result *row, const char *last);

#endif
