/* |computed - s| / ulp(s): the spacing of the format at the exact value, so that 0.5 is the best possible. */
#include "reference/rounding.h"
#include "src/base/quotient.h"
#include "src/measure/metric.h"

double metric_ulp_error(const struct judged *judged)
{
    mpfr_t ulp;
    mpfr_init2(ulp, MPFR_PREC_MIN); /* a power of two, which binary64 may lack */
    exact_set_ulp(ulp, judged->exact->sum, judged_format(judged));
    const double value = metric_quotient(judged, ulp);
    mpfr_clear(ulp);
    return value;
}

double metric_ulp_error_of_element(const struct judged_element *element)
{
    return quotient_up(element->error, element->exact->ulp);
}
