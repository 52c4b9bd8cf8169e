#include "exact.h"

#include <float.h>
#include <math.h>

/* A number c of 53 bits is no nearer to s than 2^-107 of it, or than the last bit of s^2: |c - s| = |c^2 - s^2| / (c +
 * s), and c^2 has 106 bits. */
enum { BITS_MORE = 2 * DBL_MANT_DIG + 64 };

/* Whether it was rounded: toward 0, and then its last bit set. */
static bool take_root(mpfr_t value)
{
    mpfr_t root;
    mpfr_init2(root, mpfr_min_prec(value) + BITS_MORE);
    const bool is_rounded = mpfr_sqrt(root, value, MPFR_RNDZ) != 0;
    if (is_rounded && mpfr_min_prec(root) < mpfr_get_prec(root))
        mpfr_nextabove(root);
    if (!is_rounded)
        mpfr_prec_round(root, mpfr_get_prec(value), MPFR_RNDN); /* half its bits: exact */
    mpfr_swap(value, root);
    mpfr_clear(root);
    return is_rounded;
}

void exact_root(struct exact_sum *exact)
{
    exact->is_rounded = take_root(exact->sum);
    exact->sum_abs_is_rounded = take_root(exact->sum_abs);
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = mpfr_get_d(exact->sum, MPFR_RNDU);
    exact->sum_abs_above = exact->kind == EXACT_FINITE ? exact->abs_above : NAN;
}
