#include "softmax.h"

#include "exponentials.h"
#include "near.h"
#include "odd.h"
#include "statistic.h"

#include "src/base/format.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* sum_abs = |sum|. */
static void copy_sum(struct exact_sum *exact)
{
    mpfr_set_prec(exact->sum_abs, mpfr_get_prec(exact->sum));
    (void)mpfr_abs(exact->sum_abs, exact->sum, MPFR_RNDN);
    exact->sum_abs_is_rounded = exact->is_rounded;
}

static double condition_of(const struct exact_sum *exact)
{
    mpfr_t quotient;
    if (exact->kind != EXACT_FINITE || mpfr_cmpabs(exact->sum_abs, exact->sum) == 0)
        return exact->kind == EXACT_FINITE ? 1 : NAN;
    mpfr_init2(quotient, DBL_MANT_DIG);
    (void)mpfr_div(quotient, exact->sum_abs, exact->sum, MPFR_RNDN);
    const double condition = fabs(mpfr_get_d(quotient, MPFR_RNDN));
    mpfr_clear(quotient);
    return condition;
}

static void conclude(struct exact_sum *exact)
{
    if (exact->kind == EXACT_NAN)
        mpfr_set_nan(exact->sum);
    if (exact->kind != EXACT_FINITE)
        mpfr_set_nan(exact->sum_abs);
    exact->condition = condition_of(exact);
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = mpfr_get_d(exact->sum_abs, MPFR_RNDU);
}

/* a + times L, of one number a; sum_abs: that, or `times` if it is more. */
static void set_affine(struct exponentials *of, const struct asked *asked, struct exact_sum *exact)
{
    exact->is_rounded = of->unmasked > 1 && !mpfr_zero_p(asked->times);
    if (exact->is_rounded) {
        exponentials_value(of, asked, exact->sum);
    } else {
        mpfr_set_prec(exact->sum, exact_bits(asked->a));
        (void)mpfr_set(exact->sum, asked->a, MPFR_RNDN);
    }
    copy_sum(exact);
    if (mpfr_cmp(exact->sum_abs, asked->times) < 0) {
        mpfr_set_prec(exact->sum_abs, mpfr_get_prec(asked->times));
        (void)mpfr_set(exact->sum_abs, asked->times, MPFR_RNDN);
        exact->sum_abs_is_rounded = false;
    }
}

/* M + L, and |M| + L. */
static void make_logsumexp(struct exponentials *of, struct exact_sum *exact)
{
    struct asked asked = {.is_quotient = false};
    struct exact_sum with_sign = {0};
    exact->kind = of->is_defined ? EXACT_FINITE : EXACT_NAN;
    exact->moments = of->moments;
    if (!of->is_defined)
        return;
    mpfr_inits2(DBL_MANT_DIG, asked.a, asked.times, with_sign.sum, with_sign.sum_abs, (mpfr_ptr)0);
    (void)mpfr_set_d(asked.a, fabs(of->largest), MPFR_RNDN);
    (void)mpfr_set_ui(asked.times, 1, MPFR_RNDN);
    set_affine(of, &asked, exact);
    if (of->largest < 0) {
        (void)mpfr_neg(asked.a, asked.a, MPFR_RNDN);
        set_affine(of, &asked, &with_sign);
        mpfr_swap(exact->sum, with_sign.sum);
    }
    mpfr_clears(asked.a, asked.times, with_sign.sum, with_sign.sum_abs, (mpfr_ptr)0);
}

/* ---- cross-entropy ---- */

/* Products with a masked x: +inf where one has a weight; else the sum is of x without them. */
static enum status sum_products(const struct exponentials *of, const void *y, struct exact_sum *products,
                                bool *is_infinite)
{
    OWNED void *unmasked = calloc(of->period + 1, sizeof(double));
    TRY(unmasked ? OK : out_of_memory("an exact cross-entropy"));
    for (uint64_t i = 0; i < of->period; i++) {
        const double x = held_number(of->format, of->x, i);
        *is_infinite = *is_infinite || (isinf(x) && held_number(of->format, y, i) > 0);
        held_set(of->format, unmasked, i, isinf(x) ? 0 : x);
    }
    return of->period == of->n ? exact_dot(of->format, of->how, unmasked, y, of->n, products)
                               : exact_dot_repeated(of->format, unmasked, y, of->period, of->n, products);
}

static enum status sum_numbers(const struct exponentials *of, const void *x, struct exact_sum *sum)
{
    return of->period == of->n ? exact_sum_how(of->format, of->how, x, of->n, sum)
                               : exact_sum_repeated(of->format, x, of->period, of->n, sum);
}

/* a = Y M - sum x y, times = Y. */
static enum status set_weighted(struct exponentials *of, const struct exact_sum *weights,
                                const struct exact_sum *products, struct exact_sum *exact)
{
    int rounded = 0;
    mpfr_t largest, all;
    struct asked asked = {.is_quotient = false};
    mpfr_init2(largest, DBL_MANT_DIG);
    (void)mpfr_set_d(largest, of->largest, MPFR_RNDN);
    exact_multiply(&rounded, all, weights->sum, largest);
    exact_subtract(&rounded, asked.a, all, products->sum);
    (void)mpfr_abs(asked.a, asked.a, MPFR_RNDN); /* it is >= 0: of a zero */
    mpfr_init2(asked.times, exact_bits(weights->sum));
    (void)mpfr_set(asked.times, weights->sum, MPFR_RNDN);
    exact->moments.sum_products_abs = products->sum_abs_above;
    exact->moments.abs_products = products->abs_above;
    exact->moments.weights_below = mpfr_get_d(weights->sum, MPFR_RNDD);
    exact->moments.sum_weights_abs = weights->sum_abs_above;
    exact->moments.negative_weights = 0;
    exact->moments.weighted_offsets = mpfr_get_d(asked.a, MPFR_RNDU);
    if (exact->kind == EXACT_FINITE)
        set_affine(of, &asked, exact);
    mpfr_clears(largest, all, asked.a, asked.times, (mpfr_ptr)0);
    return rounded == 0 ? OK
                        : not_measured("the exact reference rounded in a cross-entropy: its precision is too small; "
                                       "this is a bug, please report it with the data");
}

static enum status make_weighted(struct exponentials *of, const void *y, struct exact_sum *exact)
{
    FREED_BY(exact_free) struct exact_sum weights = {0}, products = {0};
    bool is_infinite = false;
    TRY(sum_numbers(of, y, &weights));
    if (!of->is_defined || weights.kind != EXACT_FINITE || !mpfr_equal_p(weights.sum, weights.sum_abs)) {
        exact->kind = EXACT_NAN;
        exact->moments = no_moments(of->n);
        return OK;
    }
    TRY(sum_products(of, y, &products, &is_infinite));
    exact->kind = is_infinite ? EXACT_INF : EXACT_FINITE;
    exact->moments = of->moments;
    mpfr_set_inf(exact->sum, 1);
    return set_weighted(of, &weights, &products, exact);
}

/* y: NULL of a logsumexp. */
static enum status make_one(struct exponentials *of, const void *y, struct exact_sum *exact)
{
    TRY(sum_numbers(of, of->x, exact));
    enum status status = OK;
    if (y)
        status = make_weighted(of, y, exact);
    else
        make_logsumexp(of, exact);
    if (status == OK)
        conclude(exact);
    else
        exact_free(exact);
    return status;
}

enum status exact_logsumexp(const struct format *format, struct exact_how how, const void *x, uint64_t period,
                            uint64_t n, struct exact_sum *exact)
{
    return exact_cross_entropy(format, how, x, NULL, period, n, exact);
}

enum status exact_cross_entropy(const struct format *format, struct exact_how how, const void *x, const void *y,
                                uint64_t period, uint64_t n, struct exact_sum *exact)
{
    struct exponentials of;
    *exact = (struct exact_sum){0};
    enum status status = exponentials_begin(&of, format, how, x, period, n);
    if (status == OK)
        status = make_one(&of, y, exact);
    exponentials_end(&of);
    return status;
}

/* ---- a result for each number ---- */

/* Elements in full may deepen it, one at a time. */
struct deepened {
    pthread_mutex_t mutex;
    struct exponentials of;
};

struct softmax_row {
    struct exact_row base;
    bool is_log;
    struct deepened *deepened, room; /* where the other points to */
};

static void set_share_of_equals(uint64_t maxima, struct exact_sum *exact)
{
    mpfr_t count;
    exact_set_count(count, maxima);
    mpfr_set_prec(exact->sum, 192); /* numbers of binary64 differ from it by 2^-117 of it, or more, or not at all */
    exact->is_rounded = odd_rounded(exact->sum, mpfr_ui_div(exact->sum, 1, count, MPFR_RNDZ));
    mpfr_clear(count);
}

static void set_element(struct exponentials *of, bool is_log, double x, struct exact_sum *exact)
{
    struct asked asked = {.is_quotient = !is_log};
    exponentials_offset(of, x, asked.a);
    mpfr_init2(asked.times, MPFR_PREC_MIN);
    (void)mpfr_set_ui(asked.times, 1, MPFR_RNDN);
    if (is_log) {
        (void)mpfr_abs(asked.a, asked.a, MPFR_RNDN);
        set_affine(of, &asked, exact);
        if (!mpfr_zero_p(exact->sum))
            (void)mpfr_neg(exact->sum, exact->sum, MPFR_RNDN);
    } else {
        exact->is_rounded = true;
        if (has_others(of))
            exponentials_value(of, &asked, exact->sum);
        else
            set_share_of_equals(of->maxima, exact);
        copy_sum(exact);
    }
    mpfr_clears(asked.a, asked.times, (mpfr_ptr)0);
}

static enum status softmax_element(const struct exact_row *base, uint64_t i, struct exact_sum *exact)
{
    const struct softmax_row *const row = (const struct softmax_row *)base;
    struct deepened *const deepened = row->deepened;
    const double x = held_number(base->format, base->x, i);
    *exact = (struct exact_sum){.format = base->format, .n = base->n, .moments = base->moments};
    exact->kind = !deepened->of.is_defined ? EXACT_NAN : row->is_log && isinf(x) ? EXACT_INF : EXACT_FINITE;
    mpfr_inits2(DBL_MANT_DIG, exact->sum, exact->sum_abs, (mpfr_ptr)0);
    if (exact->kind == EXACT_INF)
        mpfr_set_inf(exact->sum, -1);
    if (exact->kind == EXACT_FINITE && isinf(x)) {
        mpfr_set_zero(exact->sum, 1);
        copy_sum(exact);
    } else if (exact->kind == EXACT_FINITE) {
        pthread_mutex_lock(&deepened->mutex);
        set_element(&deepened->of, row->is_log, x, exact);
        pthread_mutex_unlock(&deepened->mutex);
    }
    conclude(exact);
    return OK;
}

/* L - z: each of the three is cut at a unit.  Where L is less than one, and of z nothing is cut, it is said to be more
 * than -z, which may be a number of the format or lie between two. */
static struct scaled less_log(const struct scaled *log, struct pair z)
{
    if (z.high == 0 || log->integer == 0 || !isfinite(z.high))
        return isfinite(z.high) ? *log : (struct scaled){0};
    const int of_z = ilogb(z.high), of_log = log->exponent + SCALED_BITS - 1;
    const int exponent = (of_z > of_log ? of_z : of_log) - (SCALED_BITS - 2), shift = exponent - log->exponent;
    const limbs_wide low = scaled_units(z.low, exponent);
    struct scaled sum = {.exponent = exponent, .off = 4 + (shift < 128 ? log->off >> shift : 0)};
    sum.integer = scaled_units(z.high, exponent) + (shift < 128 ? log->integer >> shift : 0) + (z.low < 0 ? low : -low);
    if (shift > SCALED_BITS && ldexp((double)low, exponent) == fabs(z.low))
        sum = (struct scaled){2 * sum.integer + 1, exponent - 1, 1};
    else if (sum.integer >> (SCALED_BITS - 1) == 0)
        sum = (struct scaled){sum.integer << 1, exponent - 1, sum.off << 1};
    return sum;
}

/* e^z / D: v is 20 off, the reciprocal less than 2.002 of its `off`, and the product is cut, twice at most. */
static struct scaled quotient(const struct scaled *reciprocal, struct pair z)
{
    int k;
    if (z.high == 0 || reciprocal->integer == 0)
        return *reciprocal;
    if (!(z.high > EXP_LEAST)) /* less than 2^-1586: no format tells */
        return (struct scaled){(limbs_wide)3 << (SCALED_BITS - 2), -1586 - SCALED_BITS, 1};
    struct scaled product = {.integer = exp_product(exp_integer(z.high, z.low, &k), reciprocal->integer)};
    product.exponent = reciprocal->exponent - k;
    product.off = EXP_OFF + 3 * reciprocal->off + 3;
    for (; product.integer >> SCALED_BITS > 0; product.exponent++)
        product.integer >>= 1;
    return product;
}

static bool element_by_integers(const struct exact_row *base, const struct format *result, uint64_t i, double computed,
                                struct exact_element *element)
{
    const struct softmax_row *row = (const struct softmax_row *)base;
    const struct exponentials *const of = &row->room.of;
    const double x = held_number(base->format, base->x, i), largest = base->moments.largest;
    if (!of->is_defined || (row->is_log && isinf(x)))
        return false;
    if (isinf(x)) {
        *element = (struct exact_element){EXACT_FINITE, 0, ldexp(1, result->least_exponent), 0, 0, computed};
        return true;
    }
    const struct pair z = pair_sum(x, -largest);
    const struct scaled value = row->is_log ? less_log(&of->log, z) : quotient(&of->reciprocal, z);
    const bool is_off_by_log = row->is_log && z.high == computed && z.low == 0;
    if (!scaled_element(&value, row->is_log, result, is_off_by_log ? 0 : computed, element))
        return false;
    if (is_off_by_log)
        element->error = scaled_above(of->log.integer + of->log.off, of->log.exponent);
    element->sum_abs_above = row->is_log ? fmax(element->abs_above, 1) : element->abs_above;
    return true;
}

static void softmax_free(struct exact_row *base)
{
    struct softmax_row *row = (struct softmax_row *)base;
    exponentials_end(&row->deepened->of);
    pthread_mutex_destroy(&row->deepened->mutex);
    free(row);
}

enum status exact_softmax_row(bool is_log, const struct format *format, struct exact_how how, const void *x, uint64_t n,
                              struct exact_row **row)
{
    static const struct exact_row_kind kind = {
        .free = softmax_free, .element = softmax_element, .quick = element_by_integers};
    struct softmax_row *made = calloc(1, sizeof *made);
    *row = NULL;
    TRY(made ? OK : out_of_memory("exact exponentials of a row"));
    *made = (struct softmax_row){{.kind = &kind, .format = format, .x = x, .n = n}, is_log, .deepened = &made->room};
    (void)pthread_mutex_init(&made->room.mutex, NULL);
    const enum status status = exponentials_begin(&made->room.of, format, how, x, n, n);
    made->base.moments = made->room.of.moments;
    if (status == OK)
        *row = &made->base;
    else
        softmax_free(&made->base);
    return status;
}
