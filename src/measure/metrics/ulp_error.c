/* |computed - s| / ulp(s): the spacing of the format at the exact value, so that 0.5 is the best possible. */
#include "src/measure/quotient.h"

double metric_ulp_error(const struct judged *judged)
{
    mpfr_t ulp;
    mpfr_init2(ulp, 53);
    mpfr_set_d(ulp, judged->exact->ulp, MPFR_RNDN);
    const double value = metric_quotient(judged, ulp);
    mpfr_clear(ulp);
    return value;
}
