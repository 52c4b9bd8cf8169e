#include "metric.h"

#include <float.h>
#include <math.h>

/* s is less than a unit of the last place from `sum`, which moves computed / s by less than this share of itself. */
static void cover_rounding(mpfr_t error, const struct judged *judged)
{
    mpfr_t more;
    mpfr_init2(more, DBL_MANT_DIG);
    mpfr_set_d(more, fabs(judged->computed), MPFR_RNDU);
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
        if (judged->exact->is_rounded && (denominator == judged->exact->sum || denominator == judged->exact->sum_abs))
            cover_rounding(error, judged);
        if (mpfr_zero_p(error))
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
