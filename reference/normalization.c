#include "normalization.h"

#include "norm_near.h"
#include "odd.h"
#include "statistic.h"

#include "src/base/format.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

struct norm_row {
    struct exact_row base;
    bool is_centred, is_finite;
    mpfr_t count, sum, sum_abs; /* n; s and S, 0 of an RMS norm */
    mpfr_t square;              /* of the divisor of n x - s; of an RMS norm of x, times n */
    struct pair of_sum, factor; /* s, and what n x - s, or x, is times, both to 2^-104 of them */
    double sum_abs_above;
};

static const struct norm_row *norm_of(const struct exact_row *row)
{
    return (const struct norm_row *)row;
}

/* ---- a row ---- */

/* n Q - s^2 + n^2 eps, or Q + n eps. */
static void set_square(int *rounded, struct norm_row *row, const mpfr_t squares, double eps)
{
    mpfr_t of_squares, of_sum, spread, less_eps, times;
    mpfr_init2(less_eps, DBL_MANT_DIG);
    mpfr_set_d(less_eps, -eps, MPFR_RNDN);
    exact_multiply(rounded, times, less_eps, row->count);
    if (row->is_centred) {
        mpfr_swap(times, less_eps);
        mpfr_clear(times);
        exact_multiply(rounded, times, less_eps, row->count);
        exact_multiply(rounded, of_squares, squares, row->count);
        exact_multiply(rounded, of_sum, row->sum, row->sum);
        exact_subtract(rounded, spread, of_squares, of_sum);
        exact_subtract(rounded, row->square, spread, times);
        mpfr_clears(of_squares, of_sum, spread, (mpfr_ptr)0);
    } else {
        exact_subtract(rounded, row->square, squares, times);
    }
    mpfr_clears(less_eps, times, (mpfr_ptr)0);
}

static struct pair pair_of(const mpfr_t value)
{
    mpfr_t rest;
    const struct pair pair = {mpfr_get_d(value, MPFR_RNDN), 0};
    mpfr_init2(rest, mpfr_get_prec(value) + DBL_MANT_DIG);
    mpfr_sub_d(rest, value, pair.high, MPFR_RNDN);
    const double low = mpfr_get_d(rest, MPFR_RNDN);
    mpfr_clear(rest);
    return (struct pair){pair.high, low};
}

/* 1 / root(square), times the root of n where that was left out. */
static struct pair factor_of(const struct norm_row *row)
{
    mpfr_t factor;
    mpfr_init2(factor, 4 * DBL_MANT_DIG);
    mpfr_div(factor, row->square, row->count, MPFR_RNDN);
    if (row->is_centred)
        mpfr_set(factor, row->square, MPFR_RNDN);
    mpfr_rec_sqrt(factor, factor, MPFR_RNDN);
    const struct pair pair = pair_of(factor);
    mpfr_clear(factor);
    return pair;
}

static enum status take_sums(struct norm_row *row, double eps, struct exact_how how)
{
    FREED_BY(exact_free) struct exact_sum sum = {0}, squares = {0}, statistic = {0};
    int rounded = 0;
    const struct exact_row *const of = &row->base;
    TRY(exact_statistic(row->is_centred ? EXACT_VARIANCE : EXACT_MEAN_SQUARE, 0, of->format, how, of->x, NULL, of->n,
                        &statistic, &row->base.moments));
    TRY(exact_sum_how(of->format, how, of->x, of->n, &sum));
    TRY(exact_dot(of->format, how, of->x, of->x, of->n, &squares));
    row->is_finite = squares.kind == EXACT_FINITE && of->n > 0;
    if (!row->is_finite)
        return OK;
    if (row->is_centred) {
        mpfr_swap(row->sum, sum.sum);
        mpfr_swap(row->sum_abs, sum.sum_abs);
        row->sum_abs_above = sum.sum_abs_above;
    }
    exact_shorten(row->sum);
    exact_shorten(row->sum_abs);
    exact_shorten(squares.sum);
    mpfr_clear(row->square);
    set_square(&rounded, row, squares.sum, eps);
    if (rounded != 0)
        return not_measured("the exact reference rounded in a norm: its precision is too small; this is a bug, please "
                            "report it with the data");
    row->is_finite = !mpfr_zero_p(row->square);
    row->of_sum = pair_of(row->sum);
    row->factor = row->is_finite ? factor_of(row) : (struct pair){0, 0};
    return OK;
}

/* ---- an element in full ---- */

/* The root of numerator^2 / square, or of n times that. */
static bool set_root(int *rounded, const struct norm_row *row, const mpfr_t numerator, mpfr_t result)
{
    mpfr_t squared, times;
    exact_multiply(rounded, squared, numerator, numerator);
    if (!row->is_centred) {
        exact_multiply(rounded, times, squared, row->count);
        mpfr_swap(squared, times);
        mpfr_clear(times);
    }
    exact_shorten(squared);
    mpfr_set_prec(result, odd_bits(squared, row->square, true));
    const bool is_rounded = odd_quotient(result, squared, row->square, true);
    if (mpfr_signbit(numerator))
        mpfr_neg(result, result, MPFR_RNDN);
    mpfr_clear(squared);
    return is_rounded;
}

static void set_finite(int *rounded, const struct norm_row *row, double number, struct exact_sum *exact)
{
    mpfr_t x, times, numerator, less, magnitude;
    mpfr_init2(x, DBL_MANT_DIG);
    mpfr_set_d(x, number, MPFR_RNDN);
    if (row->is_centred)
        exact_multiply(rounded, times, x, row->count);
    else
        mpfr_init_set(times, x, MPFR_RNDN);
    exact_subtract(rounded, numerator, times, row->sum);
    mpfr_init2(less, mpfr_get_prec(row->sum_abs));
    mpfr_neg(less, row->sum_abs, MPFR_RNDN);
    mpfr_abs(times, times, MPFR_RNDN);
    exact_subtract(rounded, magnitude, times, less);
    if (!row->is_centred)
        mpfr_setsign(numerator, numerator, mpfr_signbit(x), MPFR_RNDN); /* of a zero, too */
    exact->is_rounded = set_root(rounded, row, numerator, exact->sum);
    exact->sum_abs_is_rounded = set_root(rounded, row, magnitude, exact->sum_abs);
    exact->condition =
        mpfr_zero_p(magnitude) ? 1 : mpfr_get_d(magnitude, MPFR_RNDN) / fabs(mpfr_get_d(numerator, MPFR_RNDN));
    mpfr_clears(x, times, numerator, less, magnitude, (mpfr_ptr)0);
}

static enum status norm_element(const struct exact_row *of, uint64_t i, struct exact_sum *exact)
{
    const struct norm_row *row = norm_of(of);
    int rounded = 0;
    *exact = (struct exact_sum){.format = of->format, .n = of->n, .moments = of->moments};
    exact->kind = row->is_finite ? EXACT_FINITE : EXACT_NAN;
    exact->condition = NAN;
    mpfr_inits2(DBL_MANT_DIG, exact->sum, exact->sum_abs, (mpfr_ptr)0);
    if (row->is_finite)
        set_finite(&rounded, row, held_number(of->format, of->x, i), exact);
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = mpfr_get_d(exact->sum_abs, MPFR_RNDU);
    if (rounded == 0)
        return OK;
    exact_free(exact);
    return not_measured("the exact reference rounded in an element of a norm: this is a bug, please report it with the "
                        "data");
}

/* ---- elements, most of them by pairs ---- */

static bool element_by_pair(const struct exact_row *of, const struct format *result, uint64_t i, double computed,
                            struct exact_element *element)
{
    const struct norm_row *row = norm_of(of);
    const double x = held_number(of->format, of->x, i);
    const struct pair times = row->is_centred ? pair_product((double)of->n, x) : (struct pair){x, 0};
    if (!row->is_finite || !norm_is_near(row->factor, x) ||
        !near_element(near_of_norm(times, row->of_sum, row->factor), result, computed, element))
        return false;
    element->sum_abs_above = row->is_centred
                                 ? ((double)of->n * fabs(x) + row->sum_abs_above) * row->factor.high * (1 + 0x1p-50)
                                 : element->abs_above;
    return true;
}

/* ---- what is said outside ---- */

static void norm_free(struct exact_row *of)
{
    struct norm_row *row = (struct norm_row *)of;
    mpfr_clears(row->count, row->sum, row->sum_abs, row->square, (mpfr_ptr)0);
    free(row);
}

enum status exact_norm_row(bool is_centred, double eps, const struct format *format, struct exact_how how,
                           const void *x, uint64_t n, struct exact_row **row)
{
    static const struct exact_row_kind kind = {.free = norm_free, .element = norm_element, .quick = element_by_pair};
    struct norm_row *made = calloc(1, sizeof *made);
    *row = NULL;
    if (!made)
        return out_of_memory("exact sums of a norm");
    made->base = (struct exact_row){.kind = &kind, .format = format, .x = x, .n = n};
    made->is_centred = is_centred;
    exact_set_count(made->count, n);
    mpfr_inits2(DBL_MANT_DIG, made->sum, made->sum_abs, made->square, (mpfr_ptr)0);
    mpfr_set_zero(made->sum, 1);
    mpfr_set_zero(made->sum_abs, 1);
    const enum status status = take_sums(made, eps, how);
    if (status == OK)
        *row = &made->base;
    else
        norm_free(&made->base);
    return status;
}
