/* The relative error of a group's methods against n, or against the condition number, as a chart: a panel per method.
 *
 * A statistic of several specs with one x is the largest among them.  Errors of 0 stand on a line of their own below
 * the scale, and sums without a right digit above it.
 */
#pragma once

#include "reports/chart/chart.h"
#include "reports/group.h"

enum error_against { AGAINST_N, AGAINST_CONDITION };

/* More methods than ERROR_PANELS: of each accumulator the first one in the study, and at most so many. */
enum { ERROR_PANELS = 12 };

/* Whether the specs differ in it: in n, or in their condition by more than 1 %. */
bool error_chart_applies(const struct group *group, enum error_against against);

/* The chart is to be freed in any case. */
void error_chart(const struct results *results, const struct group *group, enum error_against against,
                 struct chart *chart);

/* The methods on one axis, HUES at most: the largest error of each, and what its median may be. */
void error_overlay(const struct results *results, const struct group *group, enum error_against against,
                   struct chart *chart);
