/* |computed - s| / |s| */
#include "src/base/quotient.h"
#include "src/measure/metric.h"

double metric_relative_error(const struct judged *judged)
{
    return metric_quotient(judged, judged->exact->sum);
}

double metric_relative_error_of_element(const struct judged_element *element)
{
    return quotient_up(element->error, below(element->exact->abs_above));
}
