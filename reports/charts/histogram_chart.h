/* The histogram of a group's relative errors as a chart, a panel per method.
 *
 * A bar is a binade [2^k, 2^(k+1)); exact results stand to its left, those without a right digit, without a finite
 * value and without a defined error to its right: the bars of a panel add up to all sums.
 */
#pragma once

#include "reports/chart/chart.h"
#include "reports/group.h"

/* More methods than HISTOGRAM_PANELS: of each accumulator the first one in the study, and at most so many. */
enum { HISTOGRAM_PANELS = 18 };

/* The chart is to be freed in any case. */
void histogram_chart(const struct results *results, const struct group *group, struct chart *chart);
