/* Which share of its proven bound each method used, as a chart: a row per method, a panel per entry of the study.
 *
 * A share near 100 % says that the theorem is tight, a small one that it is pessimistic about such data; more than
 * 100 % is a bug.
 */
#pragma once

#include "setting.h"

/* More methods than BOUND_ROWS: of each accumulator the first one in the study, and at most so many. */
enum { BOUND_ROWS = 24 };

/* Whether some sum has a bound. */
bool bound_chart_applies(const struct results *results, const struct setting *setting);

/* Puts the entries on which no method has a bound behind the others: they have no panel. */
void bound_chart_arrange(const struct results *results, struct setting *setting);

/* The chart is to be freed in any case. */
void bound_chart(const struct results *results, const struct setting *setting, size_t part, struct chart *chart);
