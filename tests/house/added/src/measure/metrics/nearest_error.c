/* |computed - RN(s)| / ulp(s): 0 where the sum is correctly rounded. */
#include "src/measure/metric.h"

#include <math.h>

double metric_nearest_error(const struct judged *judged)
{
    return fabs(judged->computed - judged->exact->nearest) / judged->exact->ulp;
}
