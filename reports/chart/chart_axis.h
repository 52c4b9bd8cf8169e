/* Where a number stands on an axis of a chart, and which ticks the axis has: the same in every form.
 *
 *   least 2^-33, most 1, 600 pixels, ticks 44 apart:   2^-32  2^-28  2^-24 ...  1
 */
#pragma once

#include "chart.h"

/* 0 at the least, 1 at the most; NaN for what has no place, such as 0 on a logarithmic axis. */
double axis_place(const struct chart_axis *axis, double value);

/* The number this many powers, or units, from another: the edge of a bar. */
double axis_shifted(const struct chart_axis *axis, double value, double by);

/* The part of the axis, in places, that is the scale; beyond it are the places apart. */
struct axis_span {
    double from, to;
};
struct axis_span axis_span(const struct chart_axis *axis, double pixels);

/* Those given and, where none is given on the scale, the axis' own, `spacing` pixels or more from each other; in rising
 * order.  Allocated, with their texts. */
struct axis_ticks {
    struct chart_tick *list;
    size_t count;
};
struct axis_ticks axis_ticks(const struct chart_axis *axis, double pixels, double spacing);
void axis_ticks_free(struct axis_ticks *ticks);
