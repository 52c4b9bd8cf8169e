#include "statistics.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

static int by_value_nan_last(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

/* Nearest rank: index ceil(q count) - 1, in integers. */
static double quantile(const double *sorted, size_t count, size_t percent)
{
    const size_t rank = (count * percent + 99) / 100;
    return sorted[rank == 0 ? 0 : rank - 1];
}

/* 2098 + 64 bits hold the sum of up to 2^64 binary64, so that only the division rounds. */
static double mean_of(const double *values, size_t count)
{
    mpfr_t sum, quotient;
    mpfr_init2(sum, 2098 + 64);
    mpfr_init2(quotient, 53);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < count; i++)
        mpfr_add_d(sum, sum, values[i], MPFR_RNDN);
    mpfr_div_ui(quotient, sum, count, MPFR_RNDN);
    const double mean = mpfr_get_d(quotient, MPFR_RNDN);
    mpfr_clear(sum);
    mpfr_clear(quotient);
    return mean;
}

struct statistics statistics_of(double *values, size_t count)
{
    if (count == 0)
        return (struct statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    qsort(values, count, sizeof *values, by_value_nan_last);
    return (struct statistics){
        .min = values[0],
        .p50 = quantile(values, count, 50),
        .p90 = quantile(values, count, 90),
        .p99 = quantile(values, count, 99),
        .max = values[count - 1],
        .mean = mean_of(values, count),
    };
}
