#include "odd.h"

#include <float.h>

mpfr_prec_t exact_bits(const mpfr_t value)
{
    return mpfr_min_prec(value) < MPFR_PREC_MIN ? MPFR_PREC_MIN : mpfr_min_prec(value);
}

void exact_shorten(mpfr_t value)
{
    if (mpfr_regular_p(value))
        (void)mpfr_prec_round(value, exact_bits(value), MPFR_RNDN);
}

/* ---- exact arithmetic ---- */

void exact_set_count(mpfr_t result, uint64_t n)
{
    mpfr_init2(result, 64);
    (void)mpfr_set_uj(result, n, MPFR_RNDN); /* 64 bits hold it */
}

void exact_multiply(int *rounded, mpfr_t result, const mpfr_t a, const mpfr_t b)
{
    mpfr_init2(result, exact_bits(a) + exact_bits(b));
    *rounded |= mpfr_mul(result, a, b, MPFR_RNDN);
}

void exact_subtract(int *rounded, mpfr_t result, const mpfr_t a, const mpfr_t b)
{
    mpfr_prec_t bits = exact_bits(a) + exact_bits(b);
    if (mpfr_regular_p(a) && mpfr_regular_p(b)) {
        const mpfr_exp_t first = mpfr_get_exp(a) > mpfr_get_exp(b) ? mpfr_get_exp(a) : mpfr_get_exp(b);
        const mpfr_exp_t last_a = mpfr_get_exp(a) - exact_bits(a), last_b = mpfr_get_exp(b) - exact_bits(b);
        bits = first + 1 - (last_a < last_b ? last_a : last_b);
    }
    mpfr_init2(result, bits);
    *rounded |= mpfr_sub(result, a, b, MPFR_RNDN);
}

/* ---- quotients and roots, rounded to odd ---- */

bool odd_rounded(mpfr_t result, int ternary)
{
    if (ternary == 0 || mpfr_min_prec(result) == mpfr_get_prec(result))
        return ternary != 0;
    if (mpfr_sgn(result) > 0)
        mpfr_nextabove(result);
    else
        mpfr_nextbelow(result);
    return true;
}

/* Squaring keeps the order, so that the root of a quotient rounded to
 * odd is above or below c as that of the quotient is: c^2 has fewer bits than the quotient is given. */
bool odd_quotient(mpfr_t result, const mpfr_t a, const mpfr_t b, bool is_root)
{
    if (!is_root)
        return odd_rounded(result, mpfr_div(result, a, b, MPFR_RNDZ));
    mpfr_t square;
    mpfr_init2(square, 2 * mpfr_get_prec(result) + 2);
    (void)odd_rounded(square, mpfr_div(square, a, b, MPFR_RNDZ));
    const bool is_rounded = odd_rounded(result, mpfr_sqrt(result, square, MPFR_RNDZ));
    mpfr_clear(square);
    return is_rounded;
}

/* How many bits a / b needs.  Let a and b be integers of so many bits, and c = k 2^e another number, k of 53 bits:
 *
 *   |c - a/b| / (a/b) = |c b - a| / a      c b - a is not 0, and a multiple of the last bit of a, or of that of c b:
 *                                          at least 2^-bits(a), or 2^-(53 + bits(b)) / 2 of a
 *
 * Where c is its root r, |c - r| / r = |c^2 b - a| / (a + c r b), about half as much, and c^2 has 106 bits.  Where a /
 * b ends in binary, b's odd part divides a's, and bits(a) hold it; where its root does, half as many.  64 more: errors
 * are rounded to 53 bits as though r had them all. */
mpfr_prec_t odd_bits(const mpfr_t a, const mpfr_t b, bool is_root)
{
    const mpfr_prec_t beside = exact_bits(b) + (is_root ? 2 : 1) * DBL_MANT_DIG;
    return (exact_bits(a) > beside ? exact_bits(a) : beside) + 2 + 64;
}
