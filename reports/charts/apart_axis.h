/* A logarithmic axis, base 10, with a place below it for 0 and one above it for what is too large to matter.
 *
 *   struct apart_axis errors = apart_axis_of("exact", "no digit", 1);
 *   apart_axis_see(&errors, 0);   apart_axis_see(&errors, 3e-8);   apart_axis_see(&errors, 5);
 *   apart_axis_settle(&errors, &chart.y);      the scale is 1e-8 to 1e-7, both places are there
 *   apart_axis_place(&errors, 0)                       where "exact" is
 */
#pragma once

#include "reports/chart/chart.h"
#include "reports/group.h"

struct apart_axis {
    const char *low_name, *high_name;
    double limit; /* what is as large, or infinite, is high */
    double least, most;
    bool seen, low, high;
    double low_at, high_at; /* once it is settled */
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

/* The relative errors of a group: all series of a method added up, one histogram a method.  Launches and backends are
 * not added up: they would count the same data twice. */

/* The lowest bin that is drawn, in which all below it are counted: an axis from there, and what stands to its left, are
 * within binary64. */
enum { TALLY_LEAST = -800 };

struct tally {
    size_t count;
    const char *const *methods; /* the group's, in the order of the study */
    struct histogram *histograms;
    uint64_t *right_nonfinite; /* a method: of the sums that are not finite, those that IEEE 754 gives */
    bool binned;               /* some bin of some method is occupied: */
    int least, most;           /* the range of them */
};

void tally_of_group(const struct group *group, struct tally *tally);
void tally_free(struct tally *tally);

/* The four counts beside the bins, in the order in which every report shows them. */
enum { TALLY_EXACT, TALLY_NO_DIGIT, TALLY_NONFINITE, TALLY_UNDEFINED, TALLY_APART };
extern const char *const tally_apart_names[TALLY_APART];
uint64_t tally_apart(const struct histogram *histogram, int which);
