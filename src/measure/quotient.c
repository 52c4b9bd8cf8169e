#include "quotient.h"

#include <float.h>
#include <math.h>

double metric_quotient(const struct judged *judged, const mpfr_t denominator)
{
    mpfr_t error;
    double value;
    if (metric_difference(judged, error, &value)) {
        mpfr_t quotient;
        mpfr_init2(quotient, DBL_MANT_DIG);
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
