/* What an error chart draws, of every method: the panels (error_chart.c) and the caption (error_caption.c) are made of
 * it. */
#pragma once

#include "apart_axis.h"
#include "charts.h"

enum { NO_PLACE = -1 };

/* What there is on the axis, and in which words. */
struct against {
    const char *what, *overlay, *name; /* of the files, also of all on one axis; in sentences */
    const char *label;
    enum chart_scale scale;
    double alike; /* so many times as much is still the same x */
    double room;  /* beyond the outermost x */
};

/* LOW and HIGH: what a quantile of all such data may be, of data that a seed drew (src/measure/statistics.h). */
enum curve { MEDIAN, P99, LARGEST, PROVEN, PROBABLE, MEDIAN_LOW, MEDIAN_HIGH, P99_LOW, P99_HIGH, CURVES };

struct curves {
    struct chart *chart;
    const struct results *results;
    const struct group *group;
    const struct against *against;
    double *xs; /* in rising order */
    size_t x_count;
    int *x_of;                         /* of each spec, or NO_PLACE */
    size_t drawn[ERROR_PANELS], count; /* methods that have a panel */
    double *values;                    /* of every method, so that what is said is of all of them: [method][curve][x];
                                          0 is exact, infinite is no digit, NaN nothing */
    struct apart_axis y;
    uint64_t sums, undefined;
    size_t without_x;       /* specs */
    bool together;          /* all in one panel */
    bool interval;          /* some median's is drawn */
    bool probable, inexact; /* some probabilistic bound is drawn; some sum has a digit that is wrong */
};

static inline double *values_of(const struct curves *curves, size_t method, enum curve curve)
{
    return curves->values + (method * CURVES + curve) * curves->x_count;
}

/* What the curves of all methods say, drawn or not. */
void error_caption(const struct curves *curves, FILE *out);
void overlay_caption(const struct curves *curves, FILE *out);
