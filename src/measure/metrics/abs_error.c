/* |computed - s| */
#include "src/measure/metric.h"

double metric_abs_error(const struct judged *judged)
{
    mpfr_t error;
    double value;
    if (metric_difference(judged, error, &value))
        value = mpfr_get_d(error, MPFR_RNDU);
    mpfr_clear(error);
    return value;
}

double metric_abs_error_of_element(const struct judged_element *element)
{
    return element->error;
}
