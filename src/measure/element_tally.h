/* The elements of a computed matrix product as few rows of a store: one for each class and quarter of a binade of
 * their relative errors, toward 0 and away from it, the element with the largest one of it, and the worst elements by
 * every other metric.
 *
 *   counts of classes, of elements that are not correctly rounded, the histogram    exact
 *   the largest error by each metric, and where it is                               exact, a row each
 *   means                                                                           exact, but for their rounding
 *   a quantile of relative errors    the largest of its quarter: never too small, less than 1.25 times too large
 */
#pragma once

#include "reference/matrix.h"
#include "row.h"

/* Where in the matrix errors are: a grid of at most 32 x 32 cells, row after row with a space between rows, a letter
 * for the largest backward error of each in u of the result:
 *
 *   0 none   a below 2^-12   b in [2^-12, 2^-11)  ...  m in [1/2, 1)   n in [1, 2)   ...   z from 2^12 on   ! no number
 */
enum { MAP_SIDE = 32, MAP_TEXT = MAP_SIDE * (MAP_SIDE + 1) };

struct element_tally;

/* Of rows x columns elements of a format.  Allocated; NULL: memory is short. */
struct element_tally *element_tally_new(const struct format *format, uint64_t rows, uint64_t columns);
void element_tally_free(struct element_tally *tally);

/* A tally of its rows from this one on, for another thread; parts are joined to the whole in their order, each with all
 * of its elements.  Where rows are cut moves the last bits of means alone. */
struct element_tally *element_tally_part(const struct element_tally *whole, uint64_t row);
enum status element_tally_join(struct element_tally *whole, const struct element_tally *part);

/* What judge_sum() says of a result, of an element of a format, given by its bits, and its bound: from exact_matrix(),
 * rounded up: less than 2^-50 of them too large, never too small.  false where its numbers, which are rounded already,
 * are too small or too large for that, as those of binary64 alone may be: then the element is to be summed again. */
bool element_judge(const struct exact_element *exact, const struct format *format, uint64_t bits, double bound,
                   struct measured *row);

/* The next element, row after row, judged; its i and j are set. */
enum status element_tally_add(struct element_tally *tally, struct measured *element);

/* After the last one: the rows.  Of each of them element_tally_row() sets what says how the element is, and its weight;
 * exact and condition, which the tally does not know, are left out. */
size_t element_tally_rows(struct element_tally *tally);
void element_tally_row(const struct element_tally *tally, size_t index, struct measured *row);

const char *element_tally_map(struct element_tally *tally);
