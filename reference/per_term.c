#include "per_term.h"

#include "agree.h"

#include <math.h>

/* ---- adding ---- */

static enum status inexact(const char *what, uint64_t index)
{
    return not_measured("the exact reference rounded while adding element %llu to %s: its precision is too small; this "
                        "is a bug, please report it with the data",
                        (unsigned long long)index, what);
}

/* Counts a NaN or an infinity and says that the term is one. */
static bool count_special(struct exact_sum *exact, const mpfr_t term)
{
    if (mpfr_nan_p(term))
        exact->nans++;
    else if (mpfr_inf_p(term) && mpfr_sgn(term) > 0)
        exact->positive_infinities++;
    else if (mpfr_inf_p(term))
        exact->negative_infinities++;
    else
        return false;
    return true;
}

/* Term i; binary64 holds both formats, and 106 bits the product of two.  Not 0 where it was rounded. */
static int set_term(mpfr_t term, const struct format *format, const void *x, const void *y, uint64_t i)
{
    const bool wide = format_held(format)->bytes == sizeof(double);
    const double factor = wide ? ((const double *)x)[i] : (double)((const float *)x)[i];
    int rounded = mpfr_set_d(term, factor, MPFR_RNDN);
    if (y)
        rounded |= mpfr_mul_d(term, term, wide ? ((const double *)y)[i] : (double)((const float *)y)[i], MPFR_RNDN);
    return rounded;
}

static void note_magnitude(struct exact_sum *exact, const mpfr_t magnitude, bool product)
{
    const int least_normal = exact->format->least_exponent + exact->format->precision - 1;
    int exponent = (int)mpfr_get_exp(magnitude) - 1;
    exact->subnormals += exponent < least_normal;
    if (exponent < least_normal && !product)
        exponent = least_normal;
    if (exponent < exact->least_exponent)
        exact->least_exponent = exponent;
    if (exponent > exact->largest_exponent)
        exact->largest_exponent = exponent;
    exact->max_abs = fmax(exact->max_abs, mpfr_get_d(magnitude, MPFR_RNDU));
}

/* term: of 106 bits; scratch. */
static enum status add_term(struct exact_sum *exact, mpfr_t term, bool product)
{
    if (count_special(exact, term))
        return OK;
    if (mpfr_zero_p(term)) {
        exact->negative_zeros += mpfr_signbit(term) != 0;
        return OK;
    }
    if (mpfr_add(exact->sum, exact->sum, term, MPFR_RNDN) != 0)
        return inexact("the sum", exact->n);
    if (mpfr_abs(term, term, MPFR_RNDN) != 0 || mpfr_add(exact->sum_abs, exact->sum_abs, term, MPFR_RNDN) != 0)
        return inexact("the sum of absolute values", exact->n);
    note_magnitude(exact, term, product);
    return OK;
}

enum status per_term_add(struct exact_sum *exact, const void *x, const void *y, uint64_t n)
{
    enum status status = OK;
    mpfr_t term;
    mpfr_init2(term, 106);
    for (uint64_t i = 0; i < n; i++, exact->n++) {
        if (set_term(term, exact->format, x, y, i) != 0)
            TRY_DONE(inexact("a product", exact->n));
        TRY_DONE(add_term(exact, term, y != NULL));
    }
done:
    mpfr_clear(term);
    return status;
}

enum status per_term_agrees(const struct exact_sum *bins, const struct exact_sum *per_term)
{
    return exact_agree((struct opinion){bins, "by bins"}, (struct opinion){per_term, "by one mpfr_add a term"},
                       "this is a bug, please report it with the data");
}
