#include "rounding.h"

#include "src/base/memory.h"
#include "src/base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bits of a significand that the format has for 2^(top-1) <= |value| < 2^top: p, fewer for a subnormal, none or less
 * below the least of them.  They end at the least subnormal, so one rounding to so many bits is the whole of it. */
static mpfr_prec_t bits_left(const struct format *format, mpfr_exp_t top)
{
    const mpfr_exp_t above_least = top - format->least_exponent;
    return above_least < format->precision ? above_least : format->precision;
}

/* |value| < 2^least: 0, or the least subnormal from above its half on. */
static double round_below_least(const mpfr_t value, const struct format *format)
{
    const int sign = mpfr_sgn(value);
    const int above_half = sign * mpfr_cmp_si_2exp(value, sign, format->least_exponent - 1) > 0;
    return copysign(above_half ? ldexp(1, format->least_exponent) : 0, sign);
}

double exact_round(const mpfr_t value, const struct format *format)
{
    if (!mpfr_regular_p(value))
        return mpfr_get_d(value, MPFR_RNDN);
    const mpfr_prec_t bits = bits_left(format, mpfr_get_exp(value));
    if (bits < 1)
        return round_below_least(value, format);
    mp_limb_t significand[2]; /* 53 bits in limbs of 32 or 64; here and not allocated: 27 ns instead of 43 */
    assert(mpfr_custom_get_size(bits) <= sizeof significand);
    mpfr_t rounded;
    mpfr_custom_init_set(rounded, MPFR_ZERO_KIND, 0, bits, significand);
    mpfr_set(rounded, value, MPFR_RNDN);
    if (mpfr_get_exp(rounded) > format->overflow_exponent) /* it rounds as if there were no end to the range */
        return copysign(INFINITY, mpfr_sgn(value));
    return mpfr_get_d(rounded, MPFR_RNDN);
}

static mpfr_exp_t last_bit(const mpfr_t value, const struct format *format)
{
    const mpfr_exp_t least = format->least_exponent;
    const mpfr_exp_t last = mpfr_zero_p(value) ? least : mpfr_get_exp(value) - format->precision;
    return last > least ? last : least;
}

void exact_set_ulp(mpfr_t ulp, const mpfr_t value, const struct format *format)
{
    if (mpfr_number_p(value))
        mpfr_set_ui_2exp(ulp, 1, last_bit(value, format), MPFR_RNDN);
    else
        mpfr_set_nan(ulp);
}

double exact_ulp(const mpfr_t value, const struct format *format)
{
    return mpfr_number_p(value) ? ldexp(1, (int)last_bit(value, format)) : NAN;
}

/* MPFR's %Ra starts with any hexadecimal digit; scaled to [1, 2) first, its digits are those of C's %a. */
char *exact_hex(const mpfr_t value)
{
    if (!mpfr_number_p(value))
        return memory_copy(mpfr_nan_p(value) ? "nan" : mpfr_sgn(value) > 0 ? "inf" : "-inf");
    if (mpfr_zero_p(value))
        return memory_copy(mpfr_signbit(value) ? "-0x0p+0" : "0x0p+0");
    mpfr_t scaled;
    mpfr_init2(scaled, mpfr_get_prec(value));
    const int inexact = mpfr_set(scaled, value, MPFR_RNDN);
    assert(inexact == 0);
    const mpfr_exp_t exponent = mpfr_get_exp(value) - 1;
    mpfr_set_exp(scaled, 1);
    char *digits;
    if (mpfr_asprintf(&digits, "%Ra", scaled) < 0)
        memory_ran_out();
    char *text = text_made("%.*sp%+ld", (int)strcspn(digits, "p"), digits, (long)exponent);
    mpfr_free_str(digits);
    mpfr_clear(scaled);
    return text;
}

char *exact_decimal(const mpfr_t value, int digits)
{
    char *printed;
    if (mpfr_asprintf(&printed, "%.*Re", digits - 1, value) < 0)
        memory_ran_out();
    char *text = memory_copy(printed);
    mpfr_free_str(printed);
    return text;
}
