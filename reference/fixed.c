#include "fixed.h"

#include <string.h>

enum { FRACTION_BITS = 23, SIGNIFICAND_BITS = 24, INFINITY_FIELD = 255 };

/* |x| 2^149 = significand 2^shift: the exponent field, less 1 for normal numbers. */
static uint32_t decode(float x, uint32_t *shift, int *negative)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t field = bits >> FRACTION_BITS & 0xff, fraction = bits & 0x7fffff;
    *negative = (int)(bits >> 31);
    *shift = field == 0 ? 0 : field - 1;
    return field == 0 ? fraction : fraction | 0x800000;
}

void fixed_sum(const float *x, uint64_t n, mpz_t sum, mpz_t sum_abs)
{
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(sum, 0);
    mpz_set_ui(sum_abs, 0);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t shift;
        int negative;
        mpz_set_ui(term, decode(x[i], &shift, &negative));
        mpz_mul_2exp(term, term, shift);
        mpz_add(sum_abs, sum_abs, term);
        if (negative)
            mpz_sub(sum, sum, term);
        else
            mpz_add(sum, sum, term);
    }
    mpz_clear(term);
}

uint32_t fixed_nearest_bits(const mpz_t sum)
{
    const uint32_t sign = mpz_sgn(sum) < 0 ? UINT32_C(1) << 31 : 0;
    mpz_t magnitude, half;
    mpz_init(magnitude);
    mpz_init(half);
    mpz_abs(magnitude, sum);
    const size_t length = mpz_sgn(sum) == 0 ? 0 : mpz_sizeinbase(magnitude, 2);
    uint32_t shift = length > SIGNIFICAND_BITS ? (uint32_t)(length - SIGNIFICAND_BITS) : 0;
    if (shift > 0) {
        mpz_ui_pow_ui(half, 2, shift - 1);
        const int odd = mpz_tstbit(magnitude, shift) != 0;
        if (!odd)
            mpz_sub_ui(half, half, 1); /* a tie goes to the even neighbour below */
        mpz_add(magnitude, magnitude, half);
        mpz_tdiv_q_2exp(magnitude, magnitude, shift);
    }
    /* A significand that rounded up to 2^24 carries into the exponent field by itself. */
    const uint64_t significand = mpz_get_ui(magnitude);
    uint64_t bits = shift > 0 ? ((uint64_t)shift << FRACTION_BITS) + significand : significand;
    if (bits >> FRACTION_BITS >= INFINITY_FIELD)
        bits = (uint64_t)INFINITY_FIELD << FRACTION_BITS;
    mpz_clear(magnitude);
    mpz_clear(half);
    return sign | (uint32_t)bits;
}
