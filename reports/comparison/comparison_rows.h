/* How many sums of two runs have other bits, row by row. */
#ifndef ULPSCOPE_COMPARISON_ROWS_H
#define ULPSCOPE_COMPARISON_ROWS_H

#include "comparison.h"

/* Fills `common` and `differ` of every pair in question.  Where sums of one trial and repeat are of other data, the
 * pair says so. */
enum status comparison_read_rows(struct comparison *comparison);

#endif
