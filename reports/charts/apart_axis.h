/* A logarithmic axis, base 10, with a place below it for 0 and one above it for what is too large to matter.
 *
 *   struct apart_axis errors = apart_axis_of("exact", "no digit", 1);
 *   apart_axis_see(&errors, 0);   apart_axis_see(&errors, 3e-8);   apart_axis_see(&errors, 5);
 *   apart_axis_settle(&errors, &chart.y);      the scale is 1e-8 to 1e-7, both places are there
 *   apart_axis_place(&errors, 0)                       where "exact" is
 */
#pragma once

#include "reports/chart/chart.h"

struct apart_axis {
    const char *low_name, *high_name;
    double limit;           /* what is as large, or infinite, is high */
    double floor;           /* what is less is low, as 0 is */
    const char *floor_name; /* of the place of 0, once something that is not 0 stands there */
    double least, most;
    bool seen, low, below, high; /* below: the floor, and not 0 */
    double low_at, high_at;      /* once it is settled */
};

struct apart_axis apart_axis_of(const char *low_name, const char *high_name, double limit);

/* NaN is passed over. */
void apart_axis_see(struct apart_axis *axis, double value);

/* Gives the chart's axis its scale, whole decades around all that was seen, and its places apart. */
void apart_axis_settle(struct apart_axis *axis, struct chart_axis *of_chart);

/* Where the value is drawn; NaN stays NaN. */
double apart_axis_place(const struct apart_axis *axis, double value);

/* 10^(quarters / 4), the same bits on every machine; and the power of ten that is as large as the value or smaller. */
double power_of_ten(int quarters);
int decade_below(double value);
