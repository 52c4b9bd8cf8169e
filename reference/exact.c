#include "exact.h"

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
        mpfr_set_zero(exact->sum, 1);
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

double exact_round(const mpfr_t value, const struct format *format)
{
    if (!mpfr_regular_p(value))
        return mpfr_get_d(value, MPFR_RNDN);
    const mpfr_exp_t top = mpfr_get_exp(value); /* 2^(top-1) <= |value| < 2^top */
    mpfr_prec_t precision = format->precision;
    if (top - format->least_exponent < precision)
        precision = top - format->least_exponent;
    if (precision < 1) { /* below the least subnormal: 0, or that subnormal from above its half on */
        const int sign = mpfr_sgn(value);
        const int above_half = sign * mpfr_cmp_si_2exp(value, sign, format->least_exponent - 1) > 0;
        return copysign(above_half ? ldexp(1, format->least_exponent) : 0, sign);
    }
    mpfr_t rounded;
    mpfr_init2(rounded, precision);
    mpfr_set(rounded, value, MPFR_RNDN);
    const double nearest = mpfr_get_exp(rounded) > format->overflow_exponent ? copysign(INFINITY, mpfr_sgn(value))
                                                                             : mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    return nearest;
}

static double ulp_of(const struct exact_sum *exact)
{
    const struct format *format = exact->format;
    if (exact->kind != EXACT_FINITE)
        return NAN;
    if (mpfr_zero_p(exact->sum))
        return ldexp(1, format->least_exponent);
    const mpfr_exp_t last_bit = mpfr_get_exp(exact->sum) - format->precision;
    return ldexp(1, last_bit > format->least_exponent ? (int)last_bit : format->least_exponent);
}

static void begin(struct exact_sum *exact, const struct format *format, uint64_t n)
{
    *exact = (struct exact_sum){.format = format, .n = n};
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
    exact->ulp = ulp_of(exact);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = exact->kind == EXACT_FINITE ? mpfr_get_d(exact->sum_abs, MPFR_RNDU) : NAN;
    return OK;
}

enum status exact_sum(const struct format *format, const void *x, uint64_t n, struct exact_sum *exact)
{
    begin(exact, format, n);
    return conclude(exact, add_all(exact, x, n));
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

/* MPFR's %Ra starts with any hexadecimal digit; scaled to [1, 2) first, its digits are those of C's %a. */
char *exact_hex(const mpfr_t value)
{
    char *text = NULL;
    if (!mpfr_number_p(value))
        return strdup(mpfr_nan_p(value) ? "nan" : mpfr_sgn(value) > 0 ? "inf" : "-inf");
    if (mpfr_zero_p(value))
        return strdup(mpfr_signbit(value) ? "-0x0p+0" : "0x0p+0");
    mpfr_t scaled;
    mpfr_init2(scaled, mpfr_get_prec(value));
    mpfr_set(scaled, value, MPFR_RNDN);
    const mpfr_exp_t exponent = mpfr_get_exp(value) - 1;
    mpfr_set_exp(scaled, 1);
    char *digits = NULL;
    if (mpfr_asprintf(&digits, "%Ra", scaled) >= 0) {
        char *p = strchr(digits, 'p');
        if (p && asprintf(&text, "%.*sp%+ld", (int)(p - digits), digits, (long)exponent) < 0)
            text = NULL;
        mpfr_free_str(digits);
    }
    mpfr_clear(scaled);
    return text;
}

char *exact_decimal(const mpfr_t value, int digits)
{
    char *printed = NULL, *text = NULL;
    if (mpfr_asprintf(&printed, "%.*Re", digits - 1, value) >= 0) {
        text = strdup(printed);
        mpfr_free_str(printed);
    }
    return text;
}
