/* |computed - s| / bound: above 1 is a bug in the code or in the theorem. */
#include "quotient.h"

#include <math.h>

double metric_bound_ratio(const struct judged *judged);

/* Where no bound is claimed nothing can break it: 0.  A bound of 0 is broken by every error: infinity. */
double metric_bound_ratio(const struct judged *judged)
{
    if (isinf(judged->bound))
        return 0;
    mpfr_t bound;
    mpfr_init2(bound, 53);
    mpfr_set_d(bound, judged->bound, MPFR_RNDN);
    const double ratio = metric_quotient(judged, bound);
    mpfr_clear(bound);
    return judged->bound == 0 && isnan(ratio) ? INFINITY : ratio;
}
