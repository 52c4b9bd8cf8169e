/* |computed - RN(s)| / ulp(s): 0 where the sum is correctly rounded. */
#include "src/measure/metric.h"

#include <math.h>

static double ulps_between(double computed, double nearest, double ulp)
{
    return computed == nearest ? 0 : fabs(computed - nearest) / ulp;
}

double metric_nearest_error(const struct judged *judged)
{
    return ulps_between(judged->computed, judged->exact->nearest, judged->exact->ulp);
}

double metric_nearest_error_of_element(const struct judged_element *element)
{
    return ulps_between(element->computed, element->exact->nearest, element->exact->ulp);
}
