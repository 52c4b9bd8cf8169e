#include "histogram.h"

#include <math.h>

void histogram_count(struct histogram *histogram, enum histogram_kind kind, double relative_error, uint64_t times)
{
    if (kind == ERROR_UNDEFINED) {
        histogram->undefined += times;
    } else if (kind == ERROR_NONFINITE || isnan(relative_error)) {
        histogram->nonfinite += times;
    } else if (relative_error == 0) {
        histogram->exact += times;
    } else if (relative_error >= 1) {
        histogram->no_digit += times;
    } else {
        histogram->bin[ilogb(relative_error) - HISTOGRAM_LEAST] += times;
    }
}

uint64_t histogram_total(const struct histogram *histogram)
{
    uint64_t total = histogram->exact + histogram->no_digit + histogram->nonfinite + histogram->undefined;
    for (int k = HISTOGRAM_LEAST; k < 0; k++)
        total += histogram->bin[k - HISTOGRAM_LEAST];
    return total;
}

int histogram_range(const struct histogram *histogram, int *least, int *most)
{
    int found = 0;
    for (int k = HISTOGRAM_LEAST; k < 0; k++) {
        if (histogram->bin[k - HISTOGRAM_LEAST] == 0)
            continue;
        if (!found)
            *least = k;
        *most = k;
        found = 1;
    }
    return found;
}
