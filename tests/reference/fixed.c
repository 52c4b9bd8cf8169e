#include "fixed.h"

/* |x| / least subnormal = significand 2^shift: the exponent field, less 1 for normal numbers. */
struct decoded {
    uint64_t significand;
    uint64_t shift;
    int negative;
};

static struct decoded decode(const struct format *format, const void *x, uint64_t i)
{
    const int fraction_bits = format->precision - 1, last = 8 * (int)format->bytes - 1;
    uint32_t narrow;
    uint64_t bits;
    if (format->bytes == sizeof narrow) {
        memcpy(&narrow, (const char *)x + i * sizeof narrow, sizeof narrow);
        bits = narrow;
    } else {
        memcpy(&bits, (const char *)x + i * sizeof bits, sizeof bits);
    }
    const uint64_t hidden = UINT64_C(1) << fraction_bits, sign = UINT64_C(1) << last;
    const uint64_t field = (bits & ~sign) >> fraction_bits, fraction = bits & (hidden - 1);
    return field == 0 ? (struct decoded){fraction, 0, (bits & sign) != 0}
                      : (struct decoded){fraction | hidden, field - 1, (bits & sign) != 0};
}

static void add(mpz_t sum, mpz_t sum_abs, const mpz_t magnitude, int negative)
{
    mpz_add(sum_abs, sum_abs, magnitude);
    if (negative)
        mpz_sub(sum, sum, magnitude);
    else
        mpz_add(sum, sum, magnitude);
}

void fixed_sum(const struct format *format, const void *x, uint64_t n, mpz_t sum, mpz_t sum_abs)
{
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(sum, 0);
    mpz_set_ui(sum_abs, 0);
    for (uint64_t i = 0; i < n; i++) {
        const struct decoded number = decode(format, x, i);
        mpz_set_ui(term, number.significand);
        mpz_mul_2exp(term, term, number.shift);
        add(sum, sum_abs, term, number.negative);
    }
    mpz_clear(term);
}

void fixed_dot(const struct format *format, const void *x, const void *y, uint64_t n, mpz_t sum, mpz_t sum_abs)
{
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(sum, 0);
    mpz_set_ui(sum_abs, 0);
    for (uint64_t i = 0; i < n; i++) {
        const struct decoded a = decode(format, x, i), b = decode(format, y, i);
        mpz_set_ui(term, a.significand);
        mpz_mul_ui(term, term, b.significand);
        mpz_mul_2exp(term, term, a.shift + b.shift);
        add(sum, sum_abs, term, a.negative != b.negative);
    }
    mpz_clear(term);
}

/* magnitude / 2^shift to the nearest integer, ties to even. */
static void divide(mpz_t magnitude, uint64_t shift)
{
    mpz_t half;
    mpz_init(half);
    mpz_ui_pow_ui(half, 2, shift - 1);
    if (!mpz_tstbit(magnitude, shift))
        mpz_sub_ui(half, half, 1); /* a tie goes to the even neighbour below */
    mpz_add(magnitude, magnitude, half);
    mpz_tdiv_q_2exp(magnitude, magnitude, shift);
    mpz_clear(half);
}

uint64_t fixed_nearest_bits(const struct format *from, const mpz_t sum, const struct format *to)
{
    const int fraction_bits = to->precision - 1, last = 8 * (int)to->bytes - 1;
    const uint64_t infinity = (UINT64_C(1) << last) - (UINT64_C(1) << fraction_bits);
    const uint64_t sign = mpz_sgn(sum) < 0 ? UINT64_C(1) << last : 0;
    mpz_t magnitude;
    mpz_init(magnitude);
    mpz_abs(magnitude, sum);
    /* the exponent of the last bit that the nearest number keeps */
    const int top = from->least_exponent + (int)mpz_sizeinbase(magnitude, 2), least = to->least_exponent;
    const int kept = mpz_sgn(sum) != 0 && top - to->precision > least ? top - to->precision : least;
    if (kept > from->least_exponent)
        divide(magnitude, (uint64_t)(kept - from->least_exponent));
    else
        mpz_mul_2exp(magnitude, magnitude, (uint64_t)(from->least_exponent - kept));
    /* A normal number's hidden bit is the last 1 of its exponent field, and a significand that rounded up to 2^p
     * carries into the field by itself. */
    const uint64_t bits = ((uint64_t)(kept - to->least_exponent) << fraction_bits) + mpz_get_ui(magnitude);
    mpz_clear(magnitude);
    return sign | (bits < infinity ? bits : infinity);
}
