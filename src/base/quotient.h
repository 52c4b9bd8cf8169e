/* Quotients that are never too small, of numbers that were rounded up. */
#pragma once

#include <math.h>

/* Rounded up; a denominator of 0 leaves a quotient undefined. */
static inline double quotient_up(double error, double denominator)
{
    if (error == 0 || denominator == 0)
        return error == 0 ? 0 : (double)NAN;
    const double quotient = error / denominator;
    return fma(quotient, denominator, -error) < 0 ? nextafter(quotient, INFINITY) : quotient;
}

/* The least that a number may be that was rounded up to `above`. */
static inline double below(double above)
{
    return above > 0 ? nextafter(above, 0) : 0;
}
