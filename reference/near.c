#include "near.h"

#include <math.h>

/* What a number of 53 bits is in a format that has fewer, and the spacing there; to nearest, ties to even. */
static double rounded_in(const struct format *format, double value, double *spacing)
{
    const int last = ilogb(value) - format->precision + 1;
    *spacing = ldexp(1, last > format->least_exponent ? last : format->least_exponent);
    const double many = 0x1.8p52 * *spacing;
    return copysign((value + many) - many, value);
}

bool near_element(struct near near, const struct format *result, double computed, struct exact_element *element)
{
    const double y = near.value.high, above = nextafter(y, INFINITY), under = nextafter(y, -INFINITY);
    double spacing_above, spacing_under;
    if (!(fabs(y) > 0x1p-400 && fabs(y) < ldexp(1, result->overflow_exponent - 1)) || result->precision > 50 ||
        !(near.off < fabs(above - y) / 8))
        return false;
    element->nearest = rounded_in(result, above, &spacing_above);
    if (rounded_in(result, under, &spacing_under) != element->nearest || spacing_above != spacing_under)
        return false;
    const struct pair off = pair_sum(computed, -y);
    const double error = isfinite(computed) ? off.high + (off.low - near.value.low) : computed;
    element->kind = EXACT_FINITE;
    element->ulp = spacing_above;
    element->abs_above = fabs(y) * (1 + 0x1p-52);
    element->error = error * (1 + 0x1p-51);
    return near.off < 0x1p-53 * fabs(error);
}
