#include "shuffle.h"

#include <math.h>

static double bin_of(double error, double width)
{
    return floor(error / width + 0.5);
}

/* Bins are counted in whole numbers of binary64: 2^40 of them lie within any error. */
double error_bins_width(double least, double most_error, size_t most)
{
    static const double steps[] = {1, 2, 5};
    const double farthest = fmax(fabs(least), fabs(most_error));
    double width = 1;
    for (int i = 0; isfinite(farthest); i++) {
        width = steps[i % 3] * pow(10, i / 3);
        if (bin_of(most_error, width) - bin_of(least, width) < (double)most && farthest / width < 0x1p40)
            break;
    }
    return width;
}

bool error_range(const struct shuffled_method *of, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < of->distinct; i++)
        if (isfinite(of->sums[i].error)) {
            *least = fmin(*least, of->sums[i].error);
            *most = fmax(*most, of->sums[i].error);
        }
    return *most >= *least;
}

void error_bins_make(const struct shuffled_method *of, double width, struct error_bins *bins)
{
    double least, most;
    *bins = (struct error_bins){.width = width};
    if (!error_range(of, &least, &most))
        return;
    bins->first = bin_of(least, width);
    bins->count = (size_t)(bin_of(most, width) - bins->first) + 1;
    bins->counts = memory_cleared(bins->count, sizeof *bins->counts);
    for (size_t i = 0; i < of->distinct; i++)
        if (isfinite(of->sums[i].error))
            bins->counts[(size_t)(bin_of(of->sums[i].error, width) - bins->first)] += of->sums[i].count;
}

void error_bins_free(struct error_bins *bins)
{
    free(bins->counts);
    *bins = (struct error_bins){0};
}
