#include "quotient.h"

#include <math.h>

double metric_quotient(const struct judged *judged, const mpfr_t denominator)
{
    mpfr_t error;
    double value;
    if (metric_difference(judged, error, &value)) {
        mpfr_t quotient;
        mpfr_init2(quotient, 53); /* no quotient of these is near binary64's subnormals: one rounding */
        if (mpfr_zero_p(error))
            value = 0;
        else if (mpfr_zero_p(denominator))
            value = NAN;
        else {
            mpfr_div(quotient, error, denominator, MPFR_RNDA);
            value = fabs(mpfr_get_d(quotient, MPFR_RNDN)); /* 53 bits: exact */
        }
        mpfr_clear(quotient);
    }
    mpfr_clear(error);
    return value;
}
