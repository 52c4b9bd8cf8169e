/* Accuracy against speed as a chart: a dot per method, a panel per entry of the study, since who is worth his price
 * depends on the data; the Pareto front joins those that no other beats in both.
 *
 * The speeds are of one short bench for the whole run, the errors of all sums of the entry.
 */
#pragma once

#include "setting.h"

/* So many methods all bear their names, where there is room; of more, only those on the front and the black boxes. */
enum { SPEED_NAMED = 24 };

/* Whether the speed of a method is known there. */
bool speed_chart_applies(const struct results *results, const struct setting *setting);

/* Puts the data on which all methods have the same error behind the others: they have no panel, but where all are so.
 */
void speed_chart_arrange(const struct results *results, struct setting *setting);

/* The chart is to be freed in any case. */
void speed_chart(const struct results *results, const struct setting *setting, size_t part, struct chart *chart);
