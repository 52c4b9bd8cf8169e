#include "limits.h"

double gate_value(const struct series *series, int metric, enum gate_statistic statistic)
{
    if (statistic == GATE_COUNT && metric < METRICS)
        return (double)series->defined[metric];
    switch (metric) {
    case GATE_BITS:
        return (double)series->not_nearest;
    case GATE_SPREAD:
        return series->spread;
    case GATE_NONFINITE:
        return (double)wrong_nonfinite(series);
    default: {
        const struct statistics *of = &series->statistics[metric];
        const double values[GATE_COUNT] = {
            [GATE_MAX] = of->max, [GATE_P99] = of->p99, [GATE_P50] = of->p50, [GATE_MEAN] = of->mean};
        return values[statistic];
    }
    }
}
