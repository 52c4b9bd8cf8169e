#include "apart_axis.h"

/* Of the scale, for half a place apart: room for its word beside the last number, in 170 pixels. */
static const double HALF_PLACE = 0.1;

double power_of_ten(int quarters)
{
    static const double parts[] = {1, 1.7782794100389228, 3.1622776601683795, 5.623413251903491};
    const int part = quarters & 3;
    char text[NUMBER_TEXT];
    double decade = NAN;
    snprintf(text, sizeof text, "1e%d", (quarters - part) / 4);
    (void)read_real(text, &decade);
    return decade * parts[part];
}

/* The logarithm may round to the wrong side; powers of ten are read, and right. */
int decade_below(double value)
{
    int decade = (int)floor(log10(value));
    while (power_of_ten(4 * decade) > value)
        decade--;
    while (power_of_ten(4 * (decade + 1)) <= value)
        decade++;
    return decade;
}

struct apart_axis apart_axis_of(const char *low_name, const char *high_name, double limit)
{
    return (struct apart_axis){.low_name = low_name, .high_name = high_name, .limit = limit, .high_at = INFINITY};
}

void apart_axis_see(struct apart_axis *axis, double value)
{
    if (isnan(value))
        return;
    if (value <= 0) {
        axis->low = true;
    } else if (value >= axis->limit) {
        axis->high = true;
    } else {
        axis->least = axis->seen ? fmin(axis->least, value) : value;
        axis->most = axis->seen ? fmax(axis->most, value) : value;
        axis->seen = true;
    }
}

void apart_axis_settle(struct apart_axis *axis, struct chart_axis *of_chart)
{
    const int from = axis->seen ? 4 * decade_below(axis->least) : 0;
    int to = axis->seen ? 4 * decade_below(axis->most) : 4;
    if (axis->seen && power_of_ten(to) < axis->most)
        to += 4;
    to = to > from ? to : from + 4;
    const int half = (int)fmax(1, round(HALF_PLACE * (to - from)));
    axis->low_at = power_of_ten(from - half);
    axis->high_at = power_of_ten(to + half);
    of_chart->scale = SCALE_LOG10;
    of_chart->least = power_of_ten(axis->low ? from - 2 * half : from);
    of_chart->most = power_of_ten(axis->high ? to + 2 * half : to);
    if (axis->low)
        chart_tick(of_chart, axis->low_at, true, axis->low_name);
    if (axis->high)
        chart_tick(of_chart, axis->high_at, true, axis->high_name);
}

double apart_axis_place(const struct apart_axis *axis, double value)
{
    if (isnan(value))
        return value;
    return value <= 0 ? axis->low_at : value >= axis->limit ? axis->high_at : value;
}
