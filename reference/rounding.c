#include "rounding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double exact_round(const mpfr_t value, const struct format *format)
{
    if (!mpfr_regular_p(value))
        return mpfr_get_d(value, MPFR_RNDN);
    const mpfr_exp_t top = mpfr_get_exp(value); /* 2^(top-1) <= |value| < 2^top */
    mpfr_prec_t precision = format->precision;
    if (top - format->least_exponent < precision)
        precision = top - format->least_exponent;
    if (precision < 1) { /* below the least subnormal: 0, or that subnormal from above its half on */
        const int sign = mpfr_sgn(value);
        const int above_half = sign * mpfr_cmp_si_2exp(value, sign, format->least_exponent - 1) > 0;
        return copysign(above_half ? ldexp(1, format->least_exponent) : 0, sign);
    }
    mpfr_t rounded;
    mpfr_init2(rounded, precision);
    mpfr_set(rounded, value, MPFR_RNDN);
    const double nearest = mpfr_get_exp(rounded) > format->overflow_exponent ? copysign(INFINITY, mpfr_sgn(value))
                                                                             : mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    return nearest;
}

double exact_ulp(const mpfr_t value, const struct format *format)
{
    if (!mpfr_number_p(value))
        return NAN;
    if (mpfr_zero_p(value))
        return ldexp(1, format->least_exponent);
    const mpfr_exp_t last_bit = mpfr_get_exp(value) - format->precision;
    return ldexp(1, last_bit > format->least_exponent ? (int)last_bit : format->least_exponent);
}

/* MPFR's %Ra starts with any hexadecimal digit; scaled to [1, 2) first, its digits are those of C's %a. */
char *exact_hex(const mpfr_t value)
{
    char *text = NULL;
    if (!mpfr_number_p(value))
        return strdup(mpfr_nan_p(value) ? "nan" : mpfr_sgn(value) > 0 ? "inf" : "-inf");
    if (mpfr_zero_p(value))
        return strdup(mpfr_signbit(value) ? "-0x0p+0" : "0x0p+0");
    mpfr_t scaled;
    mpfr_init2(scaled, mpfr_get_prec(value));
    mpfr_set(scaled, value, MPFR_RNDN);
    const mpfr_exp_t exponent = mpfr_get_exp(value) - 1;
    mpfr_set_exp(scaled, 1);
    char *digits = NULL;
    if (mpfr_asprintf(&digits, "%Ra", scaled) >= 0) {
        char *p = strchr(digits, 'p');
        if (p && asprintf(&text, "%.*sp%+ld", (int)(p - digits), digits, (long)exponent) < 0)
            text = NULL;
        mpfr_free_str(digits);
    }
    mpfr_clear(scaled);
    return text;
}

char *exact_decimal(const mpfr_t value, int digits)
{
    char *printed = NULL, *text = NULL;
    if (mpfr_asprintf(&printed, "%.*Re", digits - 1, value) >= 0) {
        text = strdup(printed);
        mpfr_free_str(printed);
    }
    return text;
}
