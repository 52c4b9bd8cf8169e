#include "charts.h"

#include <math.h>

static bool counts(struct pareto_point point)
{
    return isfinite(point.cost) && isfinite(point.error);
}

static bool beats(struct pareto_point one, struct pareto_point other)
{
    return one.cost <= other.cost && one.error <= other.error && (one.cost < other.cost || one.error < other.error);
}

/* Each with each: a run has some hundred methods at most. */
void pareto_front(const struct pareto_point *points, size_t count, bool *front)
{
    for (size_t i = 0; i < count; i++) {
        front[i] = counts(points[i]);
        for (size_t k = 0; k < count && front[i]; k++)
            front[i] = !(counts(points[k]) && beats(points[k], points[i]));
    }
}
