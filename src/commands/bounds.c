#include "bounds.h"
#include "reports/axes/axis_matrix.h"

/* A result above its bound is a bug in the code or in the theorem, whatever else was asked. */
enum status bounds_check(const struct results *results)
{
    enum status status = OK;
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        if (!(series->statistics[METRIC_bound_ratio].max > 1))
            continue;
        complain("%s on %s, %s: the error is %.3g times the %s; its worst case: %s", series->method, series->data,
                 series->backend->id, series->statistics[METRIC_bound_ratio].max,
                 series->backend == BACKEND_OF(plugin)
                     ? "bound that it claims, or that any order of additions has; expected at most 1: it computes "
                       "something else"
                     : "proven bound; expected at most 1: a bug in the code or in the theorem",
                 series_rerun(series, METRIC_bound_ratio));
        status = LIMIT_BROKEN;
    }
    for (size_t i = 0; i < results->variation_count; i++) {
        const struct varied_axis *varied = &results->variations[i];
        if (!axis_is_wrong(varied))
            continue;
        complain("%s on %s, %s: %s, which no order of additions gives; expected at most 1; vary it again: %s",
                 varied->method, varied->data, axis_table[varied->axis].id, varied->why, varied->command);
        status = LIMIT_BROKEN;
    }
    return status;
}
