#include "statistic.h"

#include "src/base/workers.h"

#include <float.h>
#include <math.h>

/* ---- the sums that each is made of ---- */

enum part { X, Y, XX, XY, YY, PARTS };

static const struct statistic {
    unsigned parts;
    enum part counted; /* whose counts, exponents and max_abs are the statistic's */
    enum part over;    /* the numerator's: it may be infinite where all others are finite */
    bool is_root, has_range;
} statistics[] = {
    [EXACT_MEAN] = {1 << X, X, X, false, true},
    [EXACT_MEAN_SQUARE] = {1 << X | 1 << XX, X, XX, false, false},
    [EXACT_RMS] = {1 << X | 1 << XX, X, XX, true, false},
    [EXACT_VARIANCE] = {1 << X | 1 << XX, X, PARTS, false, true},
    [EXACT_STD] = {1 << X | 1 << XX, X, PARTS, true, true},
    [EXACT_MEAN_WEIGHTED] = {1 << XY | 1 << Y, XY, XY, false, false},
    [EXACT_COSINE] = {1 << XY | 1 << XX | 1 << YY, XY, PARTS, true, false},
};

struct data {
    const struct format *format;
    struct exact_how how;
    const void *x, *y;
    uint64_t period, n; /* period < n: repeated */
};

static enum status sum_part(const struct data *data, enum part part, struct exact_sum *sum)
{
    const void *const first = part == Y || part == YY ? data->y : data->x;
    const void *const second = part == XX ? data->x : data->y;
    if (data->period < data->n)
        return part <= Y ? exact_sum_repeated(data->format, first, data->period, data->n, sum)
                         : exact_dot_repeated(data->format, first, second, data->period, data->n, sum);
    return part <= Y ? exact_sum_how(data->format, data->how, first, data->n, sum)
                     : exact_dot(data->format, data->how, first, second, data->n, sum);
}

static void free_parts(struct exact_sum parts[PARTS])
{
    for (unsigned p = 0; p < PARTS; p++)
        exact_free(&parts[p]);
}

static enum status sum_parts(const struct data *data, unsigned wanted, struct exact_sum parts[PARTS])
{
    enum status status = OK;
    for (unsigned p = 0; p < PARTS && status == OK; p++)
        if (wanted >> p & 1)
            status = sum_part(data, (enum part)p, &parts[p]);
    if (status != OK)
        free_parts(parts);
    return status;
}

/* A divisor that is 0, n and N aside. */
static bool divides_by_zero(enum exact_statistic of, const struct exact_sum parts[PARTS])
{
    return (of == EXACT_MEAN_WEIGHTED && mpfr_zero_p(parts[Y].sum)) ||
           (of == EXACT_COSINE && (mpfr_zero_p(parts[XX].sum) || mpfr_zero_p(parts[YY].sum)));
}

static enum exact_kind kind_of(enum exact_statistic of, uint64_t ddof, uint64_t n, const struct exact_sum parts[PARTS])
{
    const struct statistic *const statistic = &statistics[of];
    if (n == 0 || ((of == EXACT_VARIANCE || of == EXACT_STD) && n <= ddof))
        return EXACT_NAN;
    for (unsigned p = 0; p < PARTS; p++) {
        const bool is_divisor = statistic->over == PARTS || (p == Y && statistic->over == XY);
        if (is_divisor && statistic->parts >> p & 1 && parts[p].kind != EXACT_FINITE)
            return EXACT_NAN;
    }
    if (divides_by_zero(of, parts))
        return EXACT_NAN;
    return statistic->over == PARTS ? EXACT_FINITE : parts[statistic->over].kind;
}

/* ---- exact arithmetic ---- */

/* Numbers of as many bits as they need; `rounded` is not 0 after a step that was not exact. */
struct exactly {
    int rounded;
};

static mpfr_prec_t bits_of(const mpfr_t value)
{
    return mpfr_min_prec(value) < MPFR_PREC_MIN ? MPFR_PREC_MIN : mpfr_min_prec(value);
}

/* They initialise the result. */
static void set_count(mpfr_t result, uint64_t n)
{
    mpfr_init2(result, 64);
    (void)mpfr_set_uj(result, n, MPFR_RNDN); /* 64 bits hold it */
}

static void multiply(struct exactly *exactly, mpfr_t result, const mpfr_t a, const mpfr_t b)
{
    mpfr_init2(result, bits_of(a) + bits_of(b));
    exactly->rounded |= mpfr_mul(result, a, b, MPFR_RNDN);
}

static void subtract(struct exactly *exactly, mpfr_t result, const mpfr_t a, const mpfr_t b)
{
    mpfr_prec_t bits = bits_of(a) + bits_of(b);
    if (mpfr_regular_p(a) && mpfr_regular_p(b)) {
        const mpfr_exp_t first = mpfr_get_exp(a) > mpfr_get_exp(b) ? mpfr_get_exp(a) : mpfr_get_exp(b);
        const mpfr_exp_t last_a = mpfr_get_exp(a) - bits_of(a), last_b = mpfr_get_exp(b) - bits_of(b);
        bits = first + 1 - (last_a < last_b ? last_a : last_b);
    }
    mpfr_init2(result, bits);
    exactly->rounded |= mpfr_sub(result, a, b, MPFR_RNDN);
}

/* |a / b| in binary64, up or down: twice up, where it is subnormal, is up once. */
static double quotient(const mpfr_t a, const mpfr_t b, mpfr_rnd_t direction)
{
    mpfr_t quotient;
    mpfr_init2(quotient, DBL_MANT_DIG);
    mpfr_div(quotient, a, b, direction == MPFR_RNDU ? MPFR_RNDA : MPFR_RNDZ);
    mpfr_abs(quotient, quotient, MPFR_RNDN);
    const double value = mpfr_get_d(quotient, direction);
    mpfr_clear(quotient);
    return value;
}

/* ---- quotients and roots, rounded to odd ---- */

/* Whether it was rounded: toward 0, and then its last bit set.  A number c of fewer bits is then above, below or equal
 * to the result as it is to the value. */
static bool to_odd(mpfr_t result, int ternary)
{
    if (ternary == 0 || mpfr_min_prec(result) == mpfr_get_prec(result))
        return ternary != 0;
    if (mpfr_sgn(result) > 0)
        mpfr_nextabove(result);
    else
        mpfr_nextbelow(result);
    return true;
}

/* a / b, or its root, which is of a number >= 0.  Squaring keeps the order, so that the root of a quotient rounded to
 * odd is above or below c as that of the quotient is: c^2 has fewer bits than the quotient is given. */
static bool divide_to_odd(mpfr_t result, const mpfr_t a, const mpfr_t b, bool is_root)
{
    if (!is_root)
        return to_odd(result, mpfr_div(result, a, b, MPFR_RNDZ));
    mpfr_t square;
    mpfr_init2(square, 2 * mpfr_get_prec(result) + 2);
    (void)to_odd(square, mpfr_div(square, a, b, MPFR_RNDZ));
    const bool is_rounded = to_odd(result, mpfr_sqrt(result, square, MPFR_RNDZ));
    mpfr_clear(square);
    return is_rounded;
}

/* How many bits a / b needs.  Let a and b be integers of so many bits, and c = k 2^e another number, k of 53 bits:
 *
 *   |c - a/b| / (a/b) = |c b - a| / a      c b - a is not 0, and a multiple of the last bit of a, or of that of c b:
 *                                          at least 2^-bits(a), or 2^-(53 + bits(b)) / 2 of a
 *
 * Where c is its root r, |c - r| / r = |c^2 b - a| / (a + c r b), about half as much, and c^2 has 106 bits.  Where a / b
 * ends in binary, b's odd part divides a's, and bits(a) hold it; where its root does, half as many.  64 more: errors are
 * rounded to 53 bits as though r had them all. */
static mpfr_prec_t bits_needed(const mpfr_t a, const mpfr_t b, bool is_root)
{
    const mpfr_prec_t beside = bits_of(b) + (is_root ? 2 : 1) * DBL_MANT_DIG;
    return (bits_of(a) > beside ? bits_of(a) : beside) + 2 + 64;
}

/* The value is numerator / denominator, its scale likewise; or the roots of both. */
struct quotients {
    mpfr_t numerator, scale, denominator;
    bool is_root, is_negative; /* what a root does not say */
};

static void copy(struct exactly *exactly, mpfr_t result, const mpfr_t value)
{
    mpfr_init2(result, bits_of(value));
    exactly->rounded |= mpfr_set(result, value, MPFR_RNDN);
}

static void make_quotients(struct exactly *exactly, enum exact_statistic of, uint64_t ddof, uint64_t n,
                           const struct exact_sum parts[PARTS], struct quotients *quotients)
{
    const struct exact_sum *const over = &parts[statistics[of].over == PARTS ? XY : statistics[of].over];
    mpfr_t count, square;
    *quotients = (struct quotients){.is_root = statistics[of].is_root};
    set_count(count, n);
    switch (of) {
    case EXACT_MEAN:
    case EXACT_MEAN_SQUARE:
    case EXACT_RMS:
        copy(exactly, quotients->numerator, over->sum);
        copy(exactly, quotients->scale, over->sum_abs);
        copy(exactly, quotients->denominator, count);
        break;
    case EXACT_VARIANCE:
    case EXACT_STD:
        multiply(exactly, quotients->scale, count, parts[XX].sum);
        multiply(exactly, square, parts[X].sum, parts[X].sum);
        subtract(exactly, quotients->numerator, quotients->scale, square);
        mpfr_clear(square);
        set_count(square, n - ddof);
        multiply(exactly, quotients->denominator, count, square);
        mpfr_clear(square);
        break;
    case EXACT_MEAN_WEIGHTED:
        copy(exactly, quotients->numerator, over->sum);
        copy(exactly, quotients->scale, over->sum_abs);
        copy(exactly, quotients->denominator, parts[Y].sum);
        break;
    case EXACT_COSINE:
        quotients->is_negative = mpfr_signbit(over->sum) != 0;
        multiply(exactly, quotients->numerator, over->sum, over->sum);
        multiply(exactly, quotients->scale, over->sum_abs, over->sum_abs);
        multiply(exactly, quotients->denominator, parts[XX].sum, parts[YY].sum);
        break;
    }
    mpfr_clear(count);
}

static void free_quotients(struct quotients *quotients)
{
    mpfr_clears(quotients->numerator, quotients->scale, quotients->denominator, (mpfr_ptr)0);
}

/* The denominators cancel.  128 bits: a middle of two numbers has 54, its square 108. */
static double condition_of(const struct quotients *quotients)
{
    mpfr_t condition;
    if (mpfr_cmpabs(quotients->scale, quotients->numerator) == 0)
        return 1;
    if (mpfr_zero_p(quotients->numerator))
        return INFINITY;
    mpfr_init2(condition, 128);
    (void)divide_to_odd(condition, quotients->scale, quotients->numerator, false);
    if (quotients->is_root)
        (void)to_odd(condition, mpfr_sqrt(condition, condition, MPFR_RNDZ));
    const double value = fabs(mpfr_get_d(condition, MPFR_RNDN));
    mpfr_clear(condition);
    return value;
}
