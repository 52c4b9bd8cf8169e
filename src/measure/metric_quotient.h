/* |computed - s| over a denominator, rounded once, up: what all measures but abs_error are. */
#pragma once

#include "metric.h"

/* 0 when the error is 0, whatever the denominator; NaN when only the denominator is 0 or when it is no number. */
double metric_quotient(const struct judged *judged, const mpfr_t denominator);
