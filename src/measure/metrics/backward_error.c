/* |computed - s| / sum |x_i| */
#include "src/measure/quotient.h"

double metric_backward_error(const struct judged *judged)
{
    return metric_quotient(judged, judged->exact->sum_abs);
}
