#include "scaled.h"

#include "near.h"

#include <math.h>

enum { TOP = SCALED_BITS - 1, ERROR_BITS = 32 };

static int bits_of(limbs_wide integer)
{
    const uint64_t high = (uint64_t)(integer >> 64), low = (uint64_t)integer;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

limbs_wide scaled_integer(const mpz_t integer)
{
    limbs_wide value = 0;
    for (size_t l = mpz_size(integer); l-- > 0;)
        value = value << (GMP_NUMB_BITS - 1) << 1 | mpz_getlimbn(integer, (mp_size_t)l);
    return value;
}

struct scaled scaled_between(const mpfr_t low, const mpfr_t high)
{
    struct scaled scaled = {0};
    mpfr_t rounded, off;
    mpz_t integer;
    if (!mpfr_regular_p(low) || !mpfr_regular_p(high))
        return scaled;
    mpfr_inits2(SCALED_BITS, rounded, off, (mpfr_ptr)0);
    mpz_init(integer);
    const bool is_exact = mpfr_set(rounded, low, MPFR_RNDD) == 0 && mpfr_equal_p(low, high);
    const mpfr_exp_t exponent = mpfr_get_z_2exp(integer, rounded);
    (void)mpfr_sub(off, high, rounded, MPFR_RNDU);
    (void)mpfr_mul_2si(off, off, -exponent, MPFR_RNDU);
    if (mpfr_cmp_ui_2exp(off, 1, 64) < 0 && exponent > -(1 << 20) && exponent < 1 << 20) {
        scaled.integer = scaled_integer(integer);
        scaled.exponent = (int)exponent;
        scaled.off = is_exact ? 0 : (limbs_wide)mpfr_get_uj(off, MPFR_RNDU) + 1;
    }
    mpz_clear(integer);
    mpfr_clears(rounded, off, (mpfr_ptr)0);
    return scaled;
}

/* integer 2^exponent, rounded up or down. */
static double rounded_to_side(limbs_wide integer, int exponent, bool up)
{
    int dropped = bits_of(integer) - DBL_MANT_DIG;
    dropped = dropped > 0 ? dropped : 0;
    if (exponent + dropped < DBL_MIN_EXP - DBL_MANT_DIG)
        dropped = DBL_MIN_EXP - DBL_MANT_DIG - exponent;
    if (dropped > 127)
        return integer > 0 && up ? DBL_TRUE_MIN : 0;
    const limbs_wide kept = integer >> dropped;
    return double_scaled((double)(uint64_t)(kept + (up && kept << dropped != integer)), exponent + dropped);
}

double scaled_above(limbs_wide integer, int exponent)
{
    return rounded_to_side(integer, exponent, true);
}

/* To nearest, ties to even: the format's last place has the bits from `dropped` on. */
static bool set_nearest(const struct scaled *scaled, int dropped, double spacing, double *nearest)
{
    if (dropped > TOP + 1) { /* less than a half of it */
        *nearest = 0;
        return true;
    }
    const limbs_wide kept = scaled->integer >> dropped, rest = scaled->integer - (kept << dropped),
                     half = (limbs_wide)1 << (dropped - 1), from_half = rest > half ? rest - half : half - rest;
    *nearest = (double)(uint64_t)(kept + (rest > half || (rest == half && kept % 2 == 1))) * spacing;
    return from_half >= scaled->off; /* which it is not off by */
}

/* |computed - value| rounded up, and its sign: computed is an integer, too, or far away. */
static bool set_error(const struct scaled *scaled, double computed, double *error)
{
    int exponent;
    (void)frexp(computed, &exponent);
    const int shift = exponent - DBL_MANT_DIG - scaled->exponent;
    const double above = scaled_above(scaled->integer + scaled->off, scaled->exponent);
    if (!isfinite(computed)) {
        *error = computed;
    } else if (computed == 0 || (computed > 0 && shift < 0)) { /* less than 2^-71 of the value */
        *error = -above;
    } else if (computed < 0) {
        const struct pair sum = pair_sum(computed, -above);
        *error = sum.low < 0 ? nextafter(sum.high, -INFINITY) : sum.high;
    } else if (shift > SCALED_BITS - DBL_MANT_DIG + 1) { /* more than twice the value */
        const struct pair sum =
            pair_sum(computed, -rounded_to_side(scaled->integer - scaled->off, scaled->exponent, false));
        *error = sum.low > 0 ? nextafter(sum.high, INFINITY) : sum.high;
    } else {
        const limbs_wide of_computed = scaled_units(computed, scaled->exponent);
        const bool is_more = of_computed > scaled->integer;
        const limbs_wide apart = is_more ? of_computed - scaled->integer : scaled->integer - of_computed;
        if (scaled->off != 0 && apart >> ERROR_BITS <= scaled->off)
            return false;
        const double magnitude = scaled_above(apart + scaled->off, scaled->exponent);
        *error = is_more || magnitude == 0 ? magnitude : -magnitude;
    }
    return true;
}

bool scaled_element(const struct scaled *scaled, bool is_negative, const struct format *result, double computed,
                    struct exact_element *element)
{
    const int top = scaled->exponent + TOP, last = top - result->precision + 1;
    const int place = last > result->least_exponent ? last : result->least_exponent;
    const limbs_wide of_top = (limbs_wide)1 << TOP;
    if (scaled->integer < of_top + scaled->off || scaled->integer + scaled->off >= 2 * of_top ||
        top >= result->overflow_exponent - 1)
        return false;
    element->kind = EXACT_FINITE;
    element->ulp = double_scaled(1, place);
    element->abs_above = scaled_above(scaled->integer + scaled->off, scaled->exponent);
    if (!set_nearest(scaled, place - scaled->exponent, element->ulp, &element->nearest) ||
        !set_error(scaled, is_negative ? -computed : computed, &element->error))
        return false;
    element->nearest = is_negative ? -element->nearest : element->nearest;
    element->error = is_negative && element->error != 0 ? -element->error : element->error;
    return true;
}
