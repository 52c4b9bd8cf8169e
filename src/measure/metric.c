#include "metric.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

const struct metric_row metric_table[METRICS] = {
#define METRIC(id, summarised, unit, meaning) {#id, summarised, unit, meaning, metric_##id, metric_##id##_of_element},
#include "metrics.def"
};

/* Bits that hold the difference: from the last one of either to the first, and one more since |computed - s| <
 * 2 max(|computed|, |s|). */
static mpfr_prec_t precision_of_difference(const struct judged *judged)
{
    mpfr_srcptr s = judged->exact->sum;
    if (!mpfr_regular_p(s) || judged->computed == 0 || !isfinite(judged->computed))
        return mpfr_get_prec(s) > DBL_MANT_DIG ? mpfr_get_prec(s) : DBL_MANT_DIG;
    const mpfr_exp_t first = mpfr_get_exp(s), last = first - (mpfr_exp_t)mpfr_min_prec(s);
    int other;
    (void)frexp(judged->computed, &other);
    return (first > other ? first : other) + 1 - (last < other - DBL_MANT_DIG ? last : other - DBL_MANT_DIG);
}

int metric_difference(const struct judged *judged, mpfr_t error, double *special)
{
    mpfr_init2(error, precision_of_difference(judged));
    if (!isfinite(judged->computed) || judged->exact->kind != EXACT_FINITE) {
        const double s = exact_round(judged->exact->sum, judged_format(judged)); /* infinite beyond the format */
        *special = judged->computed == s ? 0 : fabs(judged->computed - s);
        return 0;
    }
    const int ternary = mpfr_sub_d(error, judged->exact->sum, judged->computed, MPFR_RNDA);
    assert(ternary == 0);
    (void)ternary;
    mpfr_abs(error, error, MPFR_RNDN);
    return 1;
}

const char *const class_names[CLASSES] = {
    [CLASS_EXACT] = "exact",
    [CLASS_FINITE] = "finite",
    [CLASS_ZERO_SUM] = "zero_sum",
    [CLASS_OVERFLOW] = "overflow",
    [CLASS_OUT_OF_RANGE] = "out_of_range",
    [CLASS_NAN] = "nan",
    [CLASS_INF] = "inf",
    [CLASS_NEGATIVE] = "negative",
};

/* Of a statistic that is no mean: a variance, or a root.  Sums, which have no moments, have no n there. */
static bool is_never_negative(const struct exact_sum *exact)
{
    return exact->moments.n > 0 && !isnan(exact->moments.centred);
}

enum result_class classify(const struct exact_sum *exact, const struct format *format, double computed)
{
    if (isnan(computed) || exact->kind == EXACT_NAN)
        return CLASS_NAN;
    if (exact->kind == EXACT_INF)
        return CLASS_INF;
    if (isinf(computed))
        return exact_round(exact->sum, format) == computed ? CLASS_OUT_OF_RANGE : CLASS_OVERFLOW;
    if (mpfr_cmp_d(exact->sum, computed) == 0)
        return CLASS_EXACT;
    if (mpfr_zero_p(exact->sum))
        return CLASS_ZERO_SUM;
    return computed < 0 && is_never_negative(exact) ? CLASS_NEGATIVE : CLASS_FINITE;
}

/* s, and the scale that it is divided by, are each less than a unit of the last place from `sum` and `sum_abs`, which
 * have as many bits: that moves the quotient by less than this share of computed, and of s unless they are one. */
static void cover_rounding(mpfr_t error, const struct judged *judged)
{
    mpfr_t more;
    mpfr_init2(more, DBL_MANT_DIG);
    mpfr_set_d(more, fabs(judged->computed), MPFR_RNDU);
    if (mpfr_cmpabs(judged->exact->sum, judged->exact->sum_abs) != 0)
        mpfr_add_d(more, more, judged->exact->abs_above, MPFR_RNDU);
    mpfr_mul_2si(more, more, 2 - (long)mpfr_get_prec(judged->exact->sum), MPFR_RNDU);
    mpfr_add(error, error, more, MPFR_RNDU);
    mpfr_clear(more);
}

double metric_quotient(const struct judged *judged, const mpfr_t denominator)
{
    mpfr_t error;
    double value;
    if (metric_difference(judged, error, &value)) {
        mpfr_t quotient;
        mpfr_init2(quotient, DBL_MANT_DIG);
        const bool is_exact = mpfr_zero_p(error), of_scale = denominator == judged->exact->sum_abs;
        if (!is_exact && ((judged->exact->is_rounded && (of_scale || denominator == judged->exact->sum)) ||
                          (judged->exact->sum_abs_is_rounded && of_scale)))
            cover_rounding(error, judged);
        if (is_exact)
            value = 0;
        else if (mpfr_zero_p(denominator))
            value = NAN;
        else {
            mpfr_div(quotient, error, denominator, MPFR_RNDA);
            mpfr_abs(quotient, quotient, MPFR_RNDN);
            value = mpfr_get_d(quotient, MPFR_RNDU); /* exact but for a subnormal number; up twice is up once */
        }
        mpfr_clear(quotient);
    }
    mpfr_clear(error);
    return value;
}
