/* |computed - s| / bound: above 1 is a bug in the code or in the theorem. */
#include "src/base/quotient.h"
#include "src/measure/metric_quotient.h"

#include <math.h>

/* Undefined, NaN, where no bound is claimed.  A bound of 0 is broken by every error, and every bound by a result that
 * is NaN: infinity. */
double metric_bound_ratio(const struct judged *judged)
{
    if (isinf(judged->bound))
        return NAN;
    mpfr_t bound;
    mpfr_init2(bound, 53);
    mpfr_set_d(bound, judged->bound, MPFR_RNDN);
    const double ratio = metric_quotient(judged, bound);
    mpfr_clear(bound);
    return isnan(ratio) ? INFINITY : ratio;
}

double metric_bound_ratio_of_element(const struct judged_element *element)
{
    return quotient_up(element->error, element->bound);
}
