#include "base.h"

#include <math.h>
#include <mpfr.h>

/* strtod need not round correctly, as long as it is less than the spacing of binary64 off: what rounds to the same
 * number from both neighbours of its result rounds to that number.  Never so in binary64, where neighbours differ. */
static bool round_guess(double guess, const struct format *format, double *value)
{
    *value = rounded_to(nextafter(guess, -INFINITY), format);
    return double_bits(*value) == double_bits(rounded_to(nextafter(guess, INFINITY), format));
}

/* MPFR's exponents are those of a significand in [1/2, 1).  Returns the sign of text - value. */
static int round_text(const char *text, const struct format *format, double *value)
{
    const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
    mpfr_t number;
    mpfr_init2(number, format->precision);
    mpfr_set_emin(format->least_exponent + 1);
    mpfr_set_emax(format->overflow_exponent);
    int ternary = mpfr_strtofr(number, text, NULL, 0, MPFR_RNDN);
    ternary = mpfr_subnormalize(number, ternary, MPFR_RNDN);
    mpfr_set_emin(least);
    mpfr_set_emax(most);
    *value = rounded_to(mpfr_get_d(number, MPFR_RNDN), format); /* no other, but where a NaN ends the format */
    mpfr_clear(number);
    return (ternary < 0) - (ternary > 0);
}

double nearest_to_text(const char *text, const struct format *format, char **end, int *side)
{
    double value;
    const double guess = strtod(text, end);
    if (side)
        *side = round_text(text, format, &value);
    else if (!round_guess(guess, format, &value))
        round_text(text, format, &value);
    return value;
}
