/* Order statistics and the mean of a list of errors. */
#pragma once

#include "src/base/base.h"

/* All NaN when there is no value.  A quantile is a value that occurs: the smallest v with at least the fraction q of
 * the values <= v.  NaN counts as larger than every number, so that it shows in max and is never hidden. */
struct statistics {
    double min, p50, p90, p99, max;
    double mean; /* of the exact sum, rounded once; NaN or infinite when a value is, and NaN when memory is short */
};

/* Negative, 0 or positive as an error is less than, the same as or more than another one: NaN is the largest. */
int error_order(double a, double b);

/* Value i occurs weights[i] times, at least once; weights NULL: each value once.  Without weights it sorts the values
 * in place. */
struct statistics statistics_of(double *values, const uint64_t *weights, size_t count);

/* What holds a quantile of all such values with 95 %, whatever their distribution: order statistics whose ranks are too
 * low, or too high, with at most 2.5 % each.  An end is NaN where there are too few values: the median takes 6, the
 * 99th percentile 368. */
struct interval {
    double low, high;
};

/* Of values that were sorted; each stands for `repeats` of one draw, which are one value as far as chance goes.  A NaN
 * among them is infinite. */
struct interval statistics_interval(const double *sorted, size_t count, size_t repeats, unsigned percent);

/* The mean of such values alone. */
double statistics_weighted_mean(const double *values, const uint64_t *weights, size_t count);
