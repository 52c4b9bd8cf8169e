#include "exact.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mpfr_prec_t exact_precision(const struct format *format, uint64_t n)
{
    mpfr_prec_t carries = 0; /* ceil(log2 n) */
    for (uint64_t left = n > 0 ? n - 1 : 0; left > 0; left >>= 1)
        carries++;
    return format->overflow_exponent - format->least_exponent + carries;
}

static enum status inexact(const char *what, uint64_t index)
{
    complain("the exact reference rounded while adding element %llu to %s: its precision is too small; this is a bug, "
             "please report it with the data",
             (unsigned long long)index, what);
    return NOT_MEASURED;
}

static enum status inexact_product(uint64_t times)
{
    complain("the exact reference rounded while multiplying a sum by %llu: its precision is too small; this is a bug, "
             "please report it with the data",
             (unsigned long long)times);
    return NOT_MEASURED;
}

/* Counts a NaN or an infinity and says that x is one. */
static int count_special(struct exact_sum *exact, double x)
{
    if (isnan(x))
        exact->nans++;
    else if (isinf(x) && x > 0)
        exact->positive_infinities++;
    else if (isinf(x))
        exact->negative_infinities++;
    else
        return 0;
    return 1;
}

/* Element i; binary64 holds both formats. */
static double element(const struct format *format, const void *x, uint64_t i)
{
    return format->bytes == sizeof(double) ? ((const double *)x)[i] : (double)((const float *)x)[i];
}

static void note_exponent(struct exact_sum *exact, double magnitude)
{
    const int exponent = ilogb(magnitude);
    if (exponent < exact->least_exponent)
        exact->least_exponent = exponent;
    if (exponent > exact->largest_exponent)
        exact->largest_exponent = exponent;
}

static enum status add_all(struct exact_sum *exact, const void *x, uint64_t n)
{
    const double least_normal = ldexp(1, exact->format->least_exponent + exact->format->precision - 1);
    for (uint64_t i = 0; i < n; i++) {
        const double term = element(exact->format, x, i);
        if (count_special(exact, term))
            continue;
        exact->negative_zeros += term == 0 && signbit(term);
        exact->max_abs = fmax(exact->max_abs, fabs(term));
        exact->subnormals += term != 0 && fabs(term) < least_normal;
        if (term != 0)
            note_exponent(exact, fmax(fabs(term), least_normal));
        if (mpfr_add_d(exact->sum, exact->sum, term, MPFR_RNDN) != 0)
            return inexact("the sum", i);
        if (mpfr_add_d(exact->sum_abs, exact->sum_abs, fabs(term), MPFR_RNDN) != 0)
            return inexact("the sum of absolute values", i);
    }
    return OK;
}

static void apply_specials(struct exact_sum *exact)
{
    const int both = exact->positive_infinities > 0 && exact->negative_infinities > 0;
    exact->kind = EXACT_FINITE;
    if (exact->nans > 0 || both) {
        exact->kind = EXACT_NAN;
        mpfr_set_nan(exact->sum);
    } else if (exact->positive_infinities + exact->negative_infinities > 0) {
        exact->kind = EXACT_INF;
        mpfr_set_inf(exact->sum, exact->positive_infinities > 0 ? 1 : -1);
    } else if (mpfr_zero_p(exact->sum)) {
        const bool all_negative = exact->n > 0 && exact->negative_zeros == exact->n;
        mpfr_set_zero(exact->sum, all_negative ? -1 : 1);
    }
}

static double condition_of(const struct exact_sum *exact)
{
    if (exact->kind != EXACT_FINITE)
        return NAN;
    if (mpfr_zero_p(exact->sum))
        return mpfr_zero_p(exact->sum_abs) ? 1 : INFINITY;
    mpfr_t quotient;
    mpfr_init2(quotient, 53);
    mpfr_div(quotient, exact->sum_abs, exact->sum, MPFR_RNDN);
    const double condition = fabs(mpfr_get_d(quotient, MPFR_RNDN));
    mpfr_clear(quotient);
    return condition;
}

static void begin(struct exact_sum *exact, const struct format *format, uint64_t n)
{
    *exact = (struct exact_sum){
        .format = format, .n = n, .least_exponent = format->overflow_exponent, .largest_exponent = INT_MIN};
    const mpfr_prec_t precision = exact_precision(format, n);
    mpfr_init2(exact->sum, precision);
    mpfr_init2(exact->sum_abs, precision);
    mpfr_set_zero(exact->sum, 1);
    mpfr_set_zero(exact->sum_abs, 1);
}

/* What follows from the two sums and the counts; or, after a failure, frees them. */
static enum status conclude(struct exact_sum *exact, enum status status)
{
    if (status != OK) {
        exact_free(exact);
        return status;
    }
    apply_specials(exact);
    exact->condition = condition_of(exact);
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = exact->kind == EXACT_FINITE ? mpfr_get_d(exact->sum_abs, MPFR_RNDU) : NAN;
    return OK;
}

enum status exact_sum_how(const struct format *format, struct exact_how how, const void *x, uint64_t n,
                          struct exact_sum *exact)
{
    (void)how;
    begin(exact, format, n);
    return conclude(exact, add_all(exact, x, n));
}

enum status exact_sum(const struct format *format, const void *x, uint64_t n, struct exact_sum *exact)
{
    return exact_sum_how(format, (struct exact_how){0}, x, n, exact);
}

struct exact_stream {
    struct exact_sum exact;
};

enum status exact_stream_new(const struct format *format, struct exact_how how, struct exact_stream **stream)
{
    (void)how;
    *stream = malloc(sizeof **stream);
    if (!*stream)
        return out_of_memory("an exact sum");
    begin(&(*stream)->exact, format, UINT64_MAX);
    (*stream)->exact.n = 0;
    return OK;
}

enum status exact_stream_add(struct exact_stream *stream, const void *x, uint64_t n)
{
    stream->exact.n += n;
    return add_all(&stream->exact, x, n);
}

enum status exact_stream_end(struct exact_stream *stream, struct exact_sum *exact)
{
    *exact = stream->exact;
    free(stream);
    return conclude(exact, OK);
}

void exact_stream_free(struct exact_stream *stream)
{
    if (stream)
        exact_free(&stream->exact);
    free(stream);
}

/* The sums and counts of so many copies of what has been added. */
static enum status multiply(struct exact_sum *exact, uint64_t times)
{
    uint64_t *const counts[] = {&exact->nans, &exact->positive_infinities, &exact->negative_infinities,
                                &exact->negative_zeros, &exact->subnormals};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] *= times;
    if (mpfr_mul_ui(exact->sum, exact->sum, times, MPFR_RNDN) != 0 ||
        mpfr_mul_ui(exact->sum_abs, exact->sum_abs, times, MPFR_RNDN) != 0)
        return inexact_product(times);
    return OK;
}

static enum status add_repeated(struct exact_sum *exact, const void *x, uint64_t period)
{
    const uint64_t times = exact->n / period;
    if (times > 0) {
        TRY(add_all(exact, x, period));
        TRY(multiply(exact, times));
    }
    return add_all(exact, x, exact->n % period);
}

enum status exact_sum_repeated(const struct format *format, const void *x, uint64_t period, uint64_t n,
                               struct exact_sum *exact)
{
    begin(exact, format, n);
    return conclude(exact, add_repeated(exact, x, period));
}

void exact_free(struct exact_sum *exact)
{
    mpfr_clear(exact->sum);
    mpfr_clear(exact->sum_abs);
}
