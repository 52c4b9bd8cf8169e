/* A line of results.csv.  The columns are a contract: they are only added to, at the end, where every metric stands
 * that metrics.def has beyond the contract's. */
#ifndef ULPSCOPE_CSV_ROW_H
#define ULPSCOPE_CSV_ROW_H

#include "../src/results.h"

#include <stdio.h>

void csv_write_header(FILE *file);
void csv_write_row(FILE *file, const struct result *row);

#endif
