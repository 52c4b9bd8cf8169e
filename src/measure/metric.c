#include "metric.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

const struct metric_row metric_table[METRICS] = {
#define METRIC(id, summarised, unit, meaning) {#id, summarised, unit, meaning, metric_##id},
#include "metrics.def"
};

/* Bits that hold the difference: those of s, one more since |computed - s| < 2 max(|computed|, |s|), and what the
 * result's format has beyond the data's at both ends. */
static mpfr_prec_t precision_of_difference(const struct judged *judged)
{
    const struct format *data = judged->exact->format, *result = judged_format(judged);
    const int above = result->overflow_exponent - data->overflow_exponent;
    const int below = data->least_exponent - result->least_exponent;
    return mpfr_get_prec(judged->exact->sum) + 1 + (above > 0 ? above : 0) + (below > 0 ? below : 0);
}

/* s is less than a unit of the last place from `sum`, by which quotients are divided, too.  Beside 0 `sum` will do: it
 * rounds as s does, and is all of itself. */
static void cover_rounding(mpfr_t error, const mpfr_t sum)
{
    const mpfr_exp_t precision = (mpfr_exp_t)mpfr_get_prec(sum);
    mpfr_t more;
    mpfr_init2(more, 32);
    mpfr_set_ui_2exp(more, 1, mpfr_get_exp(sum) - precision, MPFR_RNDN);
    mpfr_add(error, error, more, MPFR_RNDU);
    mpfr_mul_2si(more, error, 2 - precision, MPFR_RNDU);
    mpfr_add(error, error, more, MPFR_RNDU);
    mpfr_clear(more);
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
    assert(ternary == 0 || judged->exact->is_rounded);
    (void)ternary;
    mpfr_abs(error, error, MPFR_RNDN);
    if (judged->exact->is_rounded && judged->computed != 0)
        cover_rounding(error, judged->exact->sum);
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
};

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
    return mpfr_zero_p(exact->sum) ? CLASS_ZERO_SUM : CLASS_FINITE;
}
