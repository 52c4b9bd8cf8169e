/* |computed - s| / bound: above 1 is a bug in the code or in the theorem.  A bound above sum |x_i| claims nothing,
 * since zeros are within it: then there is no share of it, unless it is broken. */
#include "src/base/quotient.h"
#include "src/measure/metric.h"

#include <math.h>
#include <stdbool.h>

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
    const bool claims = mpfr_lessequal_p(bound, judged->exact->sum_abs) || judged->bound == 0;
    mpfr_clear(bound);
    return isnan(ratio) ? INFINITY : claims || ratio > 1 ? ratio : NAN;
}

double metric_bound_ratio_of_element(const struct judged_element *element)
{
    const double ratio =
        element->error > 0 && element->bound == 0 ? INFINITY : quotient_up(element->error, element->bound);
    return element->bound <= element->exact->sum_abs_above || ratio > 1 ? ratio : NAN;
}
