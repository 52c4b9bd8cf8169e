/* Numbers are integers of a unit, the least subnormal, cut into digits of 32 bits; a digit has 64 bits of room, so that
 * 2^31 of them are added before anything is carried.
 *
 *   binary32  1.5 = 3 2^22 2^(126 - 149): place 126 = 3 * 32 + 30; 3 2^52 has its low half in digit 3, the rest in 4
 *   binary64  the same with three digits of a number
 */
#include "short_sum.h"

#include "limbs.h"

enum {
    DIGIT = 32,
    DIGITS32 = 12, /* 277 bits, 31 for n, a sign */
    DIGITS64 = 68, /* 2,098, as many */
    LIMBS_MOST = DIGITS64 / 2
};

/* The sum of the magnitudes of positive numbers, and that of negative ones. */
struct digits {
    uint64_t of_sign[2][DIGITS64];
};

static double add_floats(struct digits *digits, const float *x, uint64_t n)
{
    uint32_t largest = 0;
    for (int sign = 0; sign < 2; sign++)
        memset(digits->of_sign[sign], 0, DIGITS32 * sizeof *digits->of_sign[sign]);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t bits = float_bits(x[i]), magnitude = bits & INT32_MAX, field = magnitude >> 23;
        const uint32_t is_normal = field > 0, place = field - is_normal;
        const uint64_t shifted = (uint64_t)((magnitude & 0x7fffff) | is_normal << 23) << place % DIGIT;
        uint64_t *digit = digits->of_sign[bits >> 31] + place / DIGIT;
        largest = magnitude > largest ? magnitude : largest;
        digit[0] += shifted & UINT32_MAX;
        digit[1] += shifted >> DIGIT;
    }
    return (double)float_from_bits(largest);
}

static double add_doubles(struct digits *digits, const struct format *held, const void *x, uint64_t n)
{
    const bool are_floats = held->precision == FORMAT_BINARY32.precision;
    uint64_t largest = 0;
    memset(digits, 0, sizeof *digits);
    for (uint64_t i = 0; i < n; i++) {
        const double number = are_floats ? (double)((const float *)x)[i] : ((const double *)x)[i];
        const uint64_t bits = double_bits(number), magnitude = bits & INT64_MAX, field = magnitude >> 52;
        const uint64_t is_normal = field > 0, place = field - is_normal;
        const uint64_t fraction = magnitude & ((UINT64_C(1) << 52) - 1);
        const limbs_wide shifted = (limbs_wide)(fraction | is_normal << 52) << place % DIGIT;
        uint64_t *digit = digits->of_sign[bits >> 63] + place / DIGIT;
        largest = magnitude > largest ? magnitude : largest;
        digit[0] += (uint64_t)shifted & UINT32_MAX;
        digit[1] += (uint64_t)(shifted >> DIGIT) & UINT32_MAX;
        digit[2] += (uint64_t)(shifted >> 2 * DIGIT);
    }
    return double_from_bits(largest);
}

/* Carries, and packs two digits into a limb. */
static void carry(const uint64_t *digits, unsigned limbs, uint64_t *packed)
{
    uint64_t carried = 0;
    for (unsigned i = 0; i < limbs; i++) {
        const uint64_t low = digits[2 * i] + carried, high = digits[2 * i + 1] + (low >> DIGIT);
        packed[i] = (low & UINT32_MAX) | high << DIGIT;
        carried = high >> DIGIT;
    }
}

/* |x|, in place; its length. */
static int make_magnitude(uint64_t *x, unsigned limbs)
{
    if (limbs_negative(x, limbs))
        limbs_negate(x, limbs);
    return limbs_length(x, limbs);
}

static double rounded_up(const uint64_t *x, int length, int unit)
{
    return limbs_round(x, length, unit, &FORMAT_BINARY64, LIMBS_UP);
}

static double ulp_at(int length, int unit, const struct format *format)
{
    const int last_place = length + unit - format->precision;
    return length == 0 || last_place < format->least_exponent ? double_scaled(1, format->least_exponent)
                                                              : double_scaled(1, last_place);
}

/* Takes `computed` from s: a multiple of 2^unit, as its format's numbers are. */
static void subtract(uint64_t *s, unsigned limbs, int unit, double computed)
{
    const uint64_t bits = double_bits(computed), magnitude = bits & INT64_MAX, field = magnitude >> 52;
    const uint64_t m = (magnitude & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(field > 0) << 52;
    const int place = (field > 0 ? (int)field - 1075 : -1074) - unit;
    if (place >= 0)
        limbs_add_word(s, limbs, m, (unsigned)place, bits >> 63 == 0);
    else if (m != 0)
        limbs_add_word(s, limbs, m >> -place, 0, bits >> 63 == 0);
}

struct short_sum exact_short_sum(const struct format *held, const void *x, uint64_t n, const struct format *result,
                                 double computed)
{
    /* a result of binary64 may end below the least binary32 */
    const bool is_narrow = held->precision == FORMAT_BINARY32.precision && result->precision <= held->precision;
    const int unit = is_narrow ? FORMAT_BINARY32.least_exponent : FORMAT_BINARY64.least_exponent;
    const unsigned limbs = (is_narrow ? DIGITS32 : DIGITS64) / 2;
    struct digits digits;
    uint64_t positive[LIMBS_MOST], negative[LIMBS_MOST], s[LIMBS_MOST], sum_abs[LIMBS_MOST], magnitude[LIMBS_MOST];
    struct short_sum short_sum = {.max_abs = is_narrow ? add_floats(&digits, x, n) : add_doubles(&digits, held, x, n)};
    carry(digits.of_sign[0], limbs, positive);
    carry(digits.of_sign[1], limbs, negative);
    limbs_subtract(s, positive, negative, limbs);
    limbs_add(sum_abs, positive, negative, limbs);
    memcpy(magnitude, s, limbs * sizeof *s);
    const int length = make_magnitude(magnitude, limbs);
    short_sum.abs_above = rounded_up(magnitude, length, unit);
    short_sum.ulp = ulp_at(length, unit, result);
    short_sum.sum_abs_above = rounded_up(sum_abs, limbs_length(sum_abs, limbs), unit);
    subtract(s, limbs, unit, computed);
    short_sum.error = rounded_up(s, make_magnitude(s, limbs), unit);
    return short_sum;
}
