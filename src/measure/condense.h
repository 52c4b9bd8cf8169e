/* Many results of one method on one data set as few rows, each of which stands for some of them: its weight.
 *
 *   a million repeats with 3 different results      3 rows, of weights that add up to a million
 *   a million different results                     a row for each class and binade of their errors, the largest error
 * of it, and the results with the least error, the least and the largest sum
 *
 * So counts of classes and histograms are exact, extremes are exact and have a witness, and a quantile is the largest
 * error of its binade: never too small, and less than twice too large.  A mean is too large likewise.
 */
#pragma once

#include "row.h"

/* Up to so many results of a method on a data set are kept one by one. */
enum { ROWS_KEPT = 1000 };

/* Makes fewer of the rows, which are results of one method, launch and backend on one data set, in place.  Those that
 * are left are in the order of their repeats.  Returns how many. */
size_t condense_rows(struct measured *rows, size_t count);
