/* |computed - RN(s)| / ulp(s): 0 where the sum is correctly rounded. */
#include "reference/rounding.h"
#include "src/measure/metric.h"

#include <math.h>

static double ulps_between(double computed, double nearest, double ulp)
{
    return computed == nearest ? 0 : fabs(computed - nearest) / ulp;
}

double metric_nearest_error(const struct judged *judged)
{
    const struct format *format = judged_format(judged);
    const double nearest = exact_round(judged->exact->sum, format);
    return ulps_between(judged->computed, nearest, exact_ulp(judged->exact->sum, format));
}

double metric_nearest_error_of_element(const struct judged_element *element)
{
    return ulps_between(element->computed, element->exact->nearest, element->exact->ulp);
}
