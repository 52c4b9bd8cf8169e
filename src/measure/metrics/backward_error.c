/* |computed - s| / sum |x_i| */
#include "src/base/quotient.h"
#include "src/measure/metric.h"

double metric_backward_error(const struct judged *judged)
{
    return metric_quotient(judged, judged->exact->sum_abs);
}

double metric_backward_error_of_element(const struct judged_element *element)
{
    return quotient_up(element->error, below(element->exact->sum_abs_above));
}
