/* All pictures of a run, in the order of the report. */
#pragma once

#include "reports/chart/chart.h"
#include "src/results/results.h"

enum chart_kind {
    CHART_SIGNED_N,  /* an entry, launch and backend each: of matrix products whose errors have a sign */
    CHART_HISTOGRAM, /* an entry, launch and backend each */
    CHART_OVERLAY_N, /* likewise, where n varies: all methods on one axis */
    CHART_OVERLAY_CONDITION,
    CHART_ERROR_N,         /* likewise, where n varies */
    CHART_ERROR_CONDITION, /* likewise, where the condition does */
    CHART_BOUND_SHARE,     /* a launch, backend and format of data each */
    CHART_ACCURACY_SPEED,  /* likewise, where speeds were measured */
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
