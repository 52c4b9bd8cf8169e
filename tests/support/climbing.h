/* Steps of hill climbing: numbers where roundings are at their worst. */
#ifndef ULPSCOPE_TESTS_CLIMBING_H
#define ULPSCOPE_TESTS_CLIMBING_H

#include "random.h"

/* Few bits, or all ones, near 1 or where products underflow. */
static inline double some_number(const struct format *format, int scale)
{
    const int p = format->precision;
    const double last = ldexp(1, 1 - p);
    const double significands[] = {
        1, 1 + last, 2 - last, 1.5, 1.5 + last, 1.5 - last, 1 + (double)below(1 << 20) * 0x1p-20};
    const double magnitude =
        ldexp(significands[below(sizeof significands / sizeof *significands)], scale - (int)below((uint64_t)p + 2));
    return rounded_to(below(2) ? magnitude : -magnitude, format);
}

static inline double changed(const struct format *format, const double *x, uint64_t n, uint64_t i, int scale)
{
    const double other = x[below(n)];
    const double ulp = ldexp(1, (x[i] == 0 ? 0 : ilogb(x[i])) - format->precision + 1);
    const double step = below(2) ? ulp : ldexp(ulp, (int)below((uint64_t)format->precision));
    switch (below(8)) {
    case 0:
        return some_number(format, scale);
    case 1:
        return -x[i];
    case 2:
        return rounded_to(x[i] * 2, format);
    case 3:
        return rounded_to(x[i] / 2, format);
    case 4:
        return below(2) ? other : -other;
    case 5:
        return rounded_to(x[i] - step, format);
    case 6: /* half a place of another, or less */
        return rounded_to(ldexp(other, -format->precision - (int)below(2)), format);
    default:
        return rounded_to(x[i] + step, format);
    }
}

#endif
