#include "normalization.h"

#include "odd.h"
#include "statistic.h"

#include "src/base/format.h"
#include "src/base/workers.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A number as two of binary64, the second of which is small beside the first. */
struct pair {
    double high, low;
};

struct exact_row {
    const struct format *format;
    const void *x;
    uint64_t n;
    bool is_centred, is_finite;
    mpfr_t count, sum, sum_abs; /* n; s and S, 0 of an RMS norm */
    mpfr_t square;              /* of the divisor of n x - s; of an RMS norm of x, times n */
    struct pair of_sum, factor; /* s, and what n x - s, or x, is times, both to 2^-104 of them */
    double sum_abs_above;
    struct moments moments;
};

/* ---- a row ---- */

/* n Q - s^2 + n^2 eps, or Q + n eps. */
static void set_square(int *rounded, struct exact_row *row, const mpfr_t squares, double eps)
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
static struct pair factor_of(const struct exact_row *row)
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

static enum status take_sums(struct exact_row *row, double eps, struct exact_how how)
{
    FREED_BY(exact_free) struct exact_sum sum = {0}, squares = {0}, statistic = {0};
    int rounded = 0;
    TRY(exact_statistic(row->is_centred ? EXACT_VARIANCE : EXACT_MEAN_SQUARE, 0, row->format, how, row->x, NULL, row->n,
                        &statistic, &row->moments));
    TRY(exact_sum_how(row->format, how, row->x, row->n, &sum));
    TRY(exact_dot(row->format, how, row->x, row->x, row->n, &squares));
    row->is_finite = squares.kind == EXACT_FINITE && row->n > 0;
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

enum status exact_row_new(bool is_centred, double eps, const struct format *format, struct exact_how how, const void *x,
                          uint64_t n, struct exact_row **row)
{
    struct exact_row *made = *row = calloc(1, sizeof *made);
    if (!made)
        return out_of_memory("exact sums of a norm");
    made->format = format;
    made->x = x;
    made->n = n;
    made->is_centred = is_centred;
    exact_set_count(made->count, n);
    mpfr_inits2(DBL_MANT_DIG, made->sum, made->sum_abs, made->square, (mpfr_ptr)0);
    mpfr_set_zero(made->sum, 1);
    mpfr_set_zero(made->sum_abs, 1);
    const enum status status = take_sums(made, eps, how);
    if (status != OK) {
        exact_row_free(made);
        *row = NULL;
    }
    return status;
}

void exact_row_free(struct exact_row *row)
{
    if (row)
        mpfr_clears(row->count, row->sum, row->sum_abs, row->square, (mpfr_ptr)0);
    free(row);
}

const struct moments *exact_row_moments(const struct exact_row *row)
{
    return &row->moments;
}

/* ---- an element in full ---- */

/* The root of numerator^2 / square, or of n times that. */
static bool set_root(int *rounded, const struct exact_row *row, const mpfr_t numerator, mpfr_t result)
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

static void set_finite(int *rounded, const struct exact_row *row, double number, struct exact_sum *exact)
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
    exact->condition = mpfr_zero_p(magnitude) ? 1 : mpfr_get_d(magnitude, MPFR_RNDN) / fabs(mpfr_get_d(numerator, MPFR_RNDN));
    mpfr_clears(x, times, numerator, less, magnitude, (mpfr_ptr)0);
}

enum status exact_row_element(const struct exact_row *row, uint64_t i, struct exact_sum *exact)
{
    int rounded = 0;
    *exact = (struct exact_sum){.format = row->format, .n = row->n, .moments = row->moments};
    exact->kind = row->is_finite ? EXACT_FINITE : EXACT_NAN;
    exact->condition = NAN;
    mpfr_inits2(DBL_MANT_DIG, exact->sum, exact->sum_abs, (mpfr_ptr)0);
    if (row->is_finite)
        set_finite(&rounded, row, held_number(row->format, row->x, i), exact);
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

static struct pair sum_of(double a, double b)
{
    const double sum = a + b, of_b = sum - a;
    return (struct pair){sum, (a - (sum - of_b)) + (b - of_b)};
}

/* By Veltkamp's halves. */
static struct pair product_of(double a, double b)
{
    const double split_a = 134217729 * a, split_b = 134217729 * b;
    const double high_a = split_a - (split_a - a), high_b = split_b - (split_b - b);
    const double low_a = a - high_a, low_b = b - high_b, product = a * b;
    return (struct pair){product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b};
}

/* A value and what it may be off by. */
struct near {
    struct pair value;
    double off;
};

/* n x - s: x and n are exact, s to 2^-104, what is small is added with 4 roundings of 2^-53 of 2^-52 of the terms; its
 * product with the factor loses 2^-100 at most. */
static struct near near_element(const struct exact_row *row, double x)
{
    const struct pair times = row->is_centred ? product_of((double)row->n, x) : (struct pair){x, 0};
    const struct pair difference = sum_of(times.high, -row->of_sum.high);
    const struct pair numerator = sum_of(difference.high, difference.low + (times.low - row->of_sum.low));
    const struct pair product = product_of(numerator.high, row->factor.high);
    const double low = product.low + (numerator.high * row->factor.low + numerator.low * row->factor.high);
    const double terms = (fabs(times.high) + fabs(row->of_sum.high)) * row->factor.high;
    return (struct near){sum_of(product.high, low), 0x1p-97 * fabs(product.high) + 0x1p-99 * terms};
}

/* What a number of 53 bits is in a format that has fewer, and the spacing there; to nearest, ties to even. */
static double rounded_in(const struct format *format, double value, double *spacing)
{
    const int last = ilogb(value) - format->precision + 1;
    *spacing = ldexp(1, last > format->least_exponent ? last : format->least_exponent);
    const double many = 0x1.8p52 * *spacing;
    return (value + many) - many;
}

/* False where the pair does not say it, or where products of halves leave the range of binary64. */
static bool element_by_pair(const struct exact_row *row, const struct format *result, double x, double computed,
                            struct exact_element *element)
{
    const struct near near = near_element(row, x);
    const double y = near.value.high, above = nextafter(y, INFINITY), under = nextafter(y, -INFINITY);
    double spacing_above, spacing_under;
    if (!(fabs(y) > 0x1p-400 && fabs(y) < ldexp(1, result->overflow_exponent - 1)) || result->precision > 50 ||
        !(row->factor.high < 0x1p400 && row->factor.high > 0x1p-400 && fabs(x) < 0x1p400) ||
        !(near.off < fabs(above - y) / 8))
        return false;
    element->nearest = rounded_in(result, above, &spacing_above);
    if (rounded_in(result, under, &spacing_under) != element->nearest || spacing_above != spacing_under)
        return false;
    const struct pair off = sum_of(computed, -y);
    const double error = isfinite(computed) ? off.high + (off.low - near.value.low) : computed;
    element->kind = EXACT_FINITE;
    element->ulp = spacing_above;
    element->abs_above = fabs(y) * (1 + 0x1p-52);
    element->sum_abs_above = row->is_centred ? ((double)row->n * fabs(x) + row->sum_abs_above) * row->factor.high * (1 + 0x1p-50)
                                             : element->abs_above;
    element->error = error * (1 + 0x1p-51);
    return near.off < 0x1p-53 * fabs(error);
}

static enum status element_in_full(const struct exact_row *row, const struct format *result, uint64_t i, double computed,
                                   struct exact_element *element)
{
    FREED_BY(exact_free) struct exact_sum exact = {0};
    mpfr_t error;
    TRY(exact_row_element(row, i, &exact));
    mpfr_init2(error, DBL_MANT_DIG);
    mpfr_d_sub(error, computed, exact.sum, MPFR_RNDA);
    *element = (struct exact_element){.kind = exact.kind,
                                      .nearest = exact_round(exact.sum, result),
                                      .ulp = exact_ulp(exact.sum, result),
                                      .abs_above = exact.abs_above,
                                      .sum_abs_above = exact.sum_abs_above,
                                      .error = exact.kind == EXACT_FINITE ? mpfr_get_d(error, MPFR_RNDA) : 0};
    mpfr_clear(error);
    return OK;
}

struct work {
    const struct exact_row *row;
    const struct format *result;
    const void *computed;
    uint64_t first, count;
    unsigned workers;
    struct exact_element *elements;
    atomic_int status;
};

static void make_share(void *context, unsigned worker)
{
    struct work *work = context;
    const struct exact_row *row = work->row;
    for (uint64_t e = work->count * worker / work->workers; e < work->count * (worker + 1) / work->workers; e++) {
        const uint64_t i = work->first + e;
        const double computed = held_number(work->result, work->computed, i);
        if (row->is_finite && element_by_pair(row, work->result, held_number(row->format, row->x, i), computed,
                                              &work->elements[e]))
            continue;
        const enum status status = element_in_full(row, work->result, i, computed, &work->elements[e]);
        if (status != OK)
            atomic_store(&work->status, (int)status);
    }
}

enum status exact_row_elements(const struct exact_row *row, const struct format *result, const void *computed,
                               uint64_t first, uint64_t count, unsigned workers, struct exact_element *elements)
{
    struct work work = {row, result, computed, first, count, workers > 1 ? workers : 1, elements, OK};
    workers_run(work.workers, make_share, &work);
    return (enum status)atomic_load(&work.status);
}
