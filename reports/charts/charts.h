/* All pictures of a run, in the order of the report. */
#pragma once

#include "group_chart.h"
#include "reports/report.h"

enum chart_kind {
    CHART_SIGNED_N,  /* an entry, launch and backend each: of matrix products whose errors have a sign */
    CHART_POSITION,  /* likewise, of a result for each number in a scan */
    CHART_HISTOGRAM, /* an entry, launch and backend each */
    CHART_OVERLAY_N, /* likewise, where n varies: all methods on one axis */
    CHART_OVERLAY_CONDITION,
    CHART_ERROR_N,         /* likewise, where n varies */
    CHART_ERROR_CONDITION, /* likewise, where the condition does */
    CHART_KINDS,
};

struct charts {
    struct chart *list;
    size_t count;
};

/* Names are unique within a run.  Free the charts also after a failure. */
void charts_of(const struct results *results, struct charts *charts);
void charts_of_kind(const struct results *results, enum chart_kind kind, struct charts *charts);
void charts_free(struct charts *charts);

/* The one picture that says most: the first against the condition, else against n, else a histogram; false: no sum was
 * measured.  To be freed in any case. */
bool charts_first(const struct results *results, struct chart *chart);

/* Whether there is one, without making it. */
bool charts_exist(const struct results *results, enum chart_kind kind);

/* The relative error of a group's methods against n, or against the condition number, as a chart: a panel per method.
 *
 * A statistic of several specs with one x is the largest among them.  Errors of 0 stand on a line of their own below
 * the scale, and sums without a right digit above it.
 */

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

/* The histogram of a group's relative errors as a chart, a panel per method.
 *
 * A bar is a binade [2^k, 2^(k+1)); exact results stand to its left, those without a right digit, without a finite
 * value and without a defined error to its right: the bars of a panel add up to all sums.
 */

/* More methods than HISTOGRAM_PANELS: of each accumulator the first one in the study, and at most so many. */
enum { HISTOGRAM_PANELS = 18 };

/* The chart is to be freed in any case. */
void histogram_chart(const struct results *results, const struct group *group, struct chart *chart);

/* The mean signed relative error of a group's matrix products against n, all methods on one axis: truncation has a
 * sign, and the law of it (src/results/law.h) is drawn beside what was measured. */

/* n varies, and the errors of some method are nearly all to one side. */
bool signed_chart_applies(const struct group *group);

/* The chart is to be freed in any case. */
void signed_chart(const struct results *results, const struct group *group, struct chart *chart);

/* The largest error of a group's scans against the position in the data, in u S_j, on one axis: a panel per spec. */

/* Some series is of a scan. */
bool position_chart_applies(const struct group *group);

/* The chart is to be freed in any case. */
void position_chart(const struct results *results, const struct group *group, struct chart *chart);
