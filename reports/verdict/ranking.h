/* The methods ranked, for readers of one table: how much of the data each may be used on, what it costs, where it
 * breaks.
 */
#pragma once

#include "reports/grid.h"
#include "verdict.h"

/* A line per method and view: on how many of the data its worst sum stays within each limit, its worst sum, its cost,
 * and the easiest data on which it breaks 1 ulp, or the target: those that most methods manage, of the least condition.
 * First comes who stays within on most data; of equal ones the one that verdict_compare() prefers. */
struct grid ranking_grid(const struct results *results, const struct verdict *verdict);

/* What its columns mean, for the line over it. */
enum { RANKING_LEGEND = 512 };
void ranking_legend(const struct results *results, const struct verdict *verdict, char text[RANKING_LEGEND]);
