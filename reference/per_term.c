#include "per_term.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- adding ---- */

static enum status inexact(const char *what, uint64_t index)
{
    complain("the exact reference rounded while adding element %llu to %s: its precision is too small; this is a bug, "
             "please report it with the data",
             (unsigned long long)index, what);
    return NOT_MEASURED;
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

/* ---- comparing ---- */

static enum status differ(const char *field, const char *bins, const char *per_term)
{
    complain("the exact reference: %s is %s by bins and %s by one mpfr_add a term; expected the same; this is a bug, "
             "please report it with the data",
             field, bins, per_term);
    return NOT_MEASURED;
}

static enum status same_counts(const char *field, uint64_t bins, uint64_t per_term)
{
    char texts[2][32];
    if (bins == per_term)
        return OK;
    snprintf(texts[0], sizeof texts[0], "%" PRIu64, bins);
    snprintf(texts[1], sizeof texts[1], "%" PRIu64, per_term);
    return differ(field, texts[0], texts[1]);
}

static enum status same_exponents(const char *field, int bins, int per_term)
{
    char texts[2][32];
    if (bins == per_term)
        return OK;
    snprintf(texts[0], sizeof texts[0], "%d", bins);
    snprintf(texts[1], sizeof texts[1], "%d", per_term);
    return differ(field, texts[0], texts[1]);
}

static enum status same_doubles(const char *field, double bins, double per_term)
{
    char texts[2][32];
    if ((bins == per_term && signbit(bins) == signbit(per_term)) || (isnan(bins) && isnan(per_term)))
        return OK;
    snprintf(texts[0], sizeof texts[0], "%a", bins);
    snprintf(texts[1], sizeof texts[1], "%a", per_term);
    return differ(field, texts[0], texts[1]);
}

static enum status same_numbers(const char *field, const mpfr_t bins, const mpfr_t per_term)
{
    const bool same = mpfr_nan_p(bins) ? mpfr_nan_p(per_term) != 0
                                       : mpfr_equal_p(bins, per_term) && mpfr_signbit(bins) == mpfr_signbit(per_term);
    if (same)
        return OK;
    char *const texts[] = {exact_hex(bins), exact_hex(per_term)};
    const enum status status = differ(field, texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
    return status;
}

enum status per_term_agrees(const struct exact_sum *bins, const struct exact_sum *per_term)
{
    TRY(same_counts("n", bins->n, per_term->n));
    TRY(same_counts("the count of NaNs", bins->nans, per_term->nans));
    TRY(same_counts("the count of +Inf", bins->positive_infinities, per_term->positive_infinities));
    TRY(same_counts("the count of -Inf", bins->negative_infinities, per_term->negative_infinities));
    TRY(same_counts("the count of -0", bins->negative_zeros, per_term->negative_zeros));
    TRY(same_counts("the count of subnormals", bins->subnormals, per_term->subnormals));
    TRY(same_exponents("the least exponent", bins->least_exponent, per_term->least_exponent));
    TRY(same_exponents("the largest exponent", bins->largest_exponent, per_term->largest_exponent));
    TRY(same_doubles("max |x_i|", bins->max_abs, per_term->max_abs));
    TRY(same_numbers("the sum", bins->sum, per_term->sum));
    TRY(same_numbers("the sum of absolute values", bins->sum_abs, per_term->sum_abs));
    TRY(same_counts("the kind", bins->kind, per_term->kind));
    TRY(same_doubles("the condition", bins->condition, per_term->condition));
    TRY(same_doubles("the nearest number", bins->nearest, per_term->nearest));
    TRY(same_doubles("ulp(s)", bins->ulp, per_term->ulp));
    TRY(same_doubles("|s| rounded up", bins->abs_above, per_term->abs_above));
    return same_doubles("sum |x_i| rounded up", bins->sum_abs_above, per_term->sum_abs_above);
}
