/* |computed - s| / |s| */
#include "src/measure/quotient.h"

double metric_relative_error(const struct judged *judged)
{
    return metric_quotient(judged, judged->exact->sum);
}
