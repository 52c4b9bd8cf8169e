/* The numbers of a series that limits and baselines are about. */
#pragma once

#include "limits.h"
#include "src/results/results.h"

/* In the metric's unit; NaN where no sum has one, and where a sum is NaN. */
double gate_value(const struct series *series, int metric, enum gate_statistic statistic);
