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

/* mpfr_sum rounds the exact sum once; the division rounds a second time, at 113 bits, out of sight of the result. */
static double mean_of(double *values, size_t count)
{
    mpfr_t *terms = malloc(count * sizeof *terms);
    mpfr_ptr *pointers = malloc(count * sizeof *pointers);
    double mean = NAN;
    if (terms && pointers) {
        mpfr_t sum;
        mpfr_init2(sum, 113);
        for (size_t i = 0; i < count; i++) {
            mpfr_init2(terms[i], 53);
            mpfr_set_d(terms[i], values[i], MPFR_RNDN);
            pointers[i] = terms[i];
        }
        mpfr_sum(sum, pointers, count, MPFR_RNDN);
        mpfr_div_ui(sum, sum, count, MPFR_RNDN);
        mean = mpfr_get_d(sum, MPFR_RNDN);
        for (size_t i = 0; i < count; i++)
            mpfr_clear(terms[i]);
        mpfr_clear(sum);
    }
    free(terms);
    free(pointers);
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
