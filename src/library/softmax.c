/* Softmax, its logarithm and the log of the sum of exponentials (reference/softmax.h has what each is, in MPFR; here
 * are integers, for libulpscope has none).
 *
 * With t = -z, k = floor(t / ln 2) + 1 and r = k ln 2 - t: e^z = 2^-k (e^(r / 2^16))^(2^16).  Numbers have 192 bits
 * below the point and are cut.
 *
 * Theorem: v is off by less than 2^20 of 2^-192.  Proof: r by 3.1 of them, two cuts of t and one of k ln 2; r / 2^16 by
 * 1.1; its series to the 12th power by 2.1, cuts, and 2^-48, what is left out: 4 in all.  A squaring doubles what is
 * off times its number, and cuts: 2^16 e^r (4 + 1) < 2^20 after sixteen.
 *
 * Of n numbers sum e^(x - second), at least 1, is then off by n 2^-172 of it, D and what follows by n + 3 2^-171 of
 * them, and ln D >= 2^-17.1, that is made from D, by (n + 3) 2^-153 of it.  Errors and sizes are raised by (n + 3)
 * 2^-150.  Values below 2^-1500 are not told apart.
 */
#include "per_number.h"

#include <math.h>

enum { LIMBS = 4, PLACES = 192, HALVED = 16, DEEPEST = 1500 };

static const uint64_t LN2[4] = {UINT64_C(0x8a0d175b8baafa2b), UINT64_C(0x40f343267298b62d),
                                UINT64_C(0xc9e3b39803f2f6af), UINT64_C(0xb17217f7d1cf79ab)};
static const struct fixed SERIES[] = {
    {{UINT64_C(0x0), UINT64_C(0x0), UINT64_C(0x0), UINT64_C(0x1)}},
    {{UINT64_C(0x0), UINT64_C(0x0), UINT64_C(0x0), UINT64_C(0x1)}},
    {{UINT64_C(0x0), UINT64_C(0x0), UINT64_C(0x8000000000000000), UINT64_C(0x0)}},
    {{UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0x2aaaaaaaaaaaaaaa), UINT64_C(0x0)}},
    {{UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xaaaaaaaaaaaaaaa), UINT64_C(0x0)}},
    {{UINT64_C(0x2222222222222222), UINT64_C(0x2222222222222222), UINT64_C(0x222222222222222), UINT64_C(0x0)}},
    {{UINT64_C(0x5b05b05b05b05b05), UINT64_C(0x5b05b05b05b05b0), UINT64_C(0x5b05b05b05b05b), UINT64_C(0x0)}},
    {{UINT64_C(0xd00d00d00d00d00), UINT64_C(0xd00d00d00d00d0), UINT64_C(0xd00d00d00d00d), UINT64_C(0x0)}},
    {{UINT64_C(0x1a01a01a01a01a0), UINT64_C(0xa01a01a01a01a01a), UINT64_C(0x1a01a01a01a01), UINT64_C(0x0)}},
    {{UINT64_C(0xe3bc74aad8e671f5), UINT64_C(0x671f5583911ca002), UINT64_C(0x2e3bc74aad8e), UINT64_C(0x0)}},
    {{UINT64_C(0xe392d8777c170b65), UINT64_C(0xd71cbbc05b4fa999), UINT64_C(0x49f93edde27), UINT64_C(0x0)}},
    {{UINT64_C(0x71c7880adcbc46da), UINT64_C(0x138e3f9d1f92e0df), UINT64_C(0x6b99159fd5), UINT64_C(0x0)}},
    {{UINT64_C(0xf425f600e7ba5b3c), UINT64_C(0x6c4bdaa26d4c3d67), UINT64_C(0x8f76c77fc), UINT64_C(0x0)}},
};

static struct fixed cut_product(const struct fixed *a, const struct fixed *b)
{
    uint64_t all[2 * LIMBS] = {0};
    struct fixed of;
    for (unsigned i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < LIMBS; j++) {
            const limbs_wide next = (limbs_wide)a->limbs[i] * b->limbs[j] + all[i + j] + carry;
            all[i + j] = (uint64_t)next;
            carry = (uint64_t)(next >> 64);
        }
        all[i + LIMBS] = carry;
    }
    memcpy(of.limbs, all + LIMBS - 1, sizeof of.limbs);
    return of;
}

static struct fixed halved(const struct fixed *a, unsigned times)
{
    struct fixed of = {{0}};
    for (unsigned from = times / 64; from < LIMBS; from++) {
        const uint64_t above = from + 1 < LIMBS && times % 64 > 0 ? a->limbs[from + 1] << (64 - times % 64) : 0;
        of.limbs[from - times / 64] = a->limbs[from] >> times % 64 | above;
    }
    return of;
}

/* |x| < 2^63 */
static struct fixed fixed_of(double x)
{
    int place;
    const uint64_t significand = significand_of(x, &place);
    struct fixed of = {{0}};
    if (significand > 0 && place >= -PLACES)
        limbs_add_word(of.limbs, LIMBS, significand, (unsigned)(place + PLACES), false);
    else if (place > -PLACES - 64)
        of.limbs[0] = significand >> (-PLACES - place);
    return of;
}

/* 1 / d */
static struct fixed share(uint64_t d)
{
    struct fixed of;
    limbs_wide rest = 1;
    of.limbs[LIMBS - 1] = d == 1;
    rest = d == 1 ? 0 : rest;
    for (unsigned l = LIMBS - 1; l-- > 0; rest = rest % d) {
        rest <<= 64;
        of.limbs[l] = (uint64_t)(rest / d);
    }
    return of;
}

/* 1 -+ a/2 + a^2/3 -+ ... of a < 2^-16: ln (1 +- a) is +- a times it. */
static struct fixed log_series(const struct fixed *a, bool alternates)
{
    struct fixed sum = share(13);
    for (unsigned t = 12; t > 0; t--) {
        const struct fixed next = share(t), times = cut_product(a, &sum);
        (alternates ? limbs_subtract : limbs_add)(sum.limbs, next.limbs, times.limbs, LIMBS);
    }
    return sum;
}

/* e^z = v 2^-k, v from 1 to 2.01; of z <= 0. */
static struct fixed exponential(struct pair z, unsigned *k)
{
    struct fixed r, t = fixed_of(z.high);
    const struct fixed low = fixed_of(z.low);
    if (!(z.high > -0x1.62e42p-1 * DEEPEST)) {
        *k = DEEPEST;
        return SERIES[0];
    }
    (z.low < 0 ? limbs_add : limbs_subtract)(t.limbs, t.limbs, low.limbs, LIMBS);
    *k = (unsigned)(-z.high * 0x1.71547652b82fep+0 + 0x1p-30) + 1;
    limbs_wide carry = (limbs_wide)LN2[0] * *k >> 64;
    for (unsigned l = 0; l < LIMBS; l++, carry >>= 64) {
        carry += l < LIMBS - 1 ? (limbs_wide)LN2[l + 1] * *k : 0;
        r.limbs[l] = (uint64_t)carry;
    }
    limbs_subtract(r.limbs, r.limbs, t.limbs, LIMBS);
    r = halved(&r, HALVED);
    struct fixed sum = SERIES[12];
    for (unsigned i = 12; i-- > 0;) {
        sum = cut_product(&r, &sum);
        limbs_add(sum.limbs, sum.limbs, SERIES[i].limbs, LIMBS);
    }
    for (unsigned i = 0; i < HALVED; i++)
        sum = cut_product(&sum, &sum);
    return sum;
}

static struct big big_of_fixed(const struct fixed *a, unsigned k)
{
    struct big of = big_of(0, -PLACES - (int)k);
    memcpy(of.limbs, a->limbs, sizeof a->limbs);
    big_set_count(&of, LIMBS);
    return of;
}

static double rounded_fixed(const struct fixed *a)
{
    return limbs_round(a->limbs, limbs_length(a->limbs, LIMBS), -PLACES, &FORMAT_BINARY64, LIMBS_NEAREST);
}

/* ---- a row ---- */

static double number_of(const struct line *x, uint64_t i)
{
    double room;
    return *(const double *)line_read(x, i, 1, &FORMAT_BINARY64, &room);
}

/* ln D, D being 1 + others 2^-k where that is less than 1 + 2^-16. */
static struct big log_of(const struct fixed *sum, const struct fixed *others, unsigned k, bool is_near_1)
{
    struct fixed log, off;
    unsigned of_exp;
    if (is_near_1) {
        const struct fixed rest = halved(others, k), series = log_series(&rest, true);
        log = cut_product(others, &series);
        return big_of_fixed(&log, k);
    }
    const double nearly = log1p(rounded_fixed(sum) - 1);
    const struct fixed v = exponential((struct pair){-nearly, 0}, &of_exp), times = cut_product(sum, &v);
    const struct fixed quotient = halved(&times, of_exp);
    const bool is_below = quotient.limbs[LIMBS - 1] == 0;
    limbs_subtract(off.limbs, is_below ? SERIES[0].limbs : quotient.limbs, is_below ? quotient.limbs : SERIES[0].limbs,
                   LIMBS);
    const struct fixed series = log_series(&off, !is_below), rest = cut_product(&off, &series);
    log = fixed_of(nearly);
    (is_below ? limbs_subtract : limbs_add)(log.limbs, log.limbs, rest.limbs, LIMBS);
    return big_of_fixed(&log, 0);
}

/* The sum of e^(x - second) of those that are not the largest, and that times e^(second - largest). */
static void add_up(struct exponentials *of, const struct line *x, double second)
{
    struct fixed others = {{0}};
    unsigned k = 0;
    bool is_below;
    for (uint64_t i = 0; i < x->n && second > -(double)INFINITY; i++) {
        const double number = number_of(x, i);
        if (number == of->largest || isinf(number))
            continue;
        struct fixed term = exponential(pair_sum(number, -second), &k);
        term = halved(&term, k);
        limbs_add(others.limbs, others.limbs, term.limbs, LIMBS);
    }
    if (second > -(double)INFINITY) {
        const struct fixed factor = exponential(pair_sum(second, -of->largest), &k);
        others = cut_product(&others, &factor);
    }
    struct fixed sum = halved(&others, k);
    sum.limbs[LIMBS - 1] += of->maxima;
    const struct big count = big_of(of->maxima, 0), one = big_of(1, 0), rest = big_of_fixed(&others, k);
    of->sum = big_combined(&count, &rest, false, &is_below);
    const bool is_near_1 = of->maxima == 1 && limbs_length(others.limbs, LIMBS) - PLACES < (int)k - 16;
    of->log = of->maxima == 1 && big_is_zero(&rest) ? big_of(0, 0) : log_of(&sum, &others, k, is_near_1);
    of->others = big_ratio(&rest, &one, 0, 0);
}

/* Not defined: no number but -inf, a NaN or +inf. */
static void begin(struct number_row *row, const struct added_sum parts[PARTS], const struct line *x)
{
    struct exponentials *const of = &row->of.exponentials;
    double second = -(double)INFINITY;
    (void)parts;
    of->largest = -(double)INFINITY;
    of->maxima = 0;
    for (uint64_t i = 0; i < x->n; i++) {
        const double number = number_of(x, i);
        if (!(number < (double)INFINITY))
            row->special = (double)NAN;
        if (number > of->largest) {
            second = of->largest;
            of->largest = number;
            of->maxima = 0;
        }
        of->maxima += number == of->largest;
        second = number < of->largest && number > second ? number : second;
    }
    if (isinf(of->largest))
        row->special = (double)NAN;
    if (row->special != 0)
        return;
    add_up(of, x, second);
    of->log_pair = big_pair(&of->log);
    const struct pair d = big_pair(&of->sum);
    const double r = 1 / d.high;
    const struct pair times = pair_product(d.high, r);
    of->reciprocal = pair_sum(r, r * (((1 - times.high) - times.low) - d.low * r));
}

/* ---- an element ---- */

/* v is cut at 2^-106, the reciprocal is known to 2^-102 of it, and their product loses 2^-100 at most. */
static bool softmax_near(const struct number_row *row, double x, struct near *near, double *sum_abs_above)
{
    const struct exponentials *const of = &row->of.exponentials;
    unsigned k = 0;
    *sum_abs_above = 0;
    if (isinf(x))
        return false;
    const struct fixed v = x == of->largest ? SERIES[0] : exponential(pair_sum(x, -of->largest), &k);
    const struct pair top = pair_sum((double)v.limbs[3], (double)(v.limbs[2] >> 11) * 0x1p-53);
    const struct pair e = pair_sum(top.high, top.low + (double)(v.limbs[2] << 53 >> 11 | v.limbs[1] >> 22) * 0x1p-106);
    const struct pair product = pair_product(e.high, of->reciprocal.high);
    const struct pair value =
        pair_sum(product.high, product.low + (e.high * of->reciprocal.low + e.low * of->reciprocal.high));
    *near = (struct near){{ldexp(value.high, -(int)k), ldexp(value.low, -(int)k)}, ldexp(value.high, -96 - (int)k)};
    return true;
}

static bool log_near(const struct number_row *row, double x, struct near *near, double *sum_abs_above)
{
    const struct exponentials *const of = &row->of.exponentials;
    const struct pair z = pair_sum(x, -of->largest), sum = pair_sum(-z.high, of->log_pair.high);
    const struct pair value = pair_sum(sum.high, sum.low + (of->log_pair.low - z.low));
    *near = (struct near){{-value.high, -value.low}, 0x1p-96 * value.high};
    *sum_abs_above = 1 + 0x1p-50; /* as abs_above of a pair is not the least number above it */
    return isfinite(z.high);
}

static bool never_near(const struct number_row *row, double x, struct near *near, double *sum_abs_above)
{
    (void)row, (void)x, (void)near, (void)sum_abs_above;
    return false;
}

/* By as much as a value may be off, and one rounding. */
static void raise(double *number, double off)
{
    *number = nextafter(*number + off, (double)INFINITY);
}

/* inexact: at least what is not exact of the value. */
static void conclude_raised(const struct value *value, double inexact, const struct number_row *row,
                            const double *computed, struct ulpscope_error *error)
{
    struct ulpscope_value *const exact = &error->exact;
    value_conclude(value, row->problem->result, computed, error);
    if (inexact == 0)
        return;
    const double off = inexact * ((double)row->problem->terms + 3) * 0x1p-150, condition = exact->condition;
    const double relative = off / exact->abs_above, backward = off / exact->sum_abs_above;
    raise(&exact->abs_above, off);
    if (exact->sum_abs_above != 1)
        raise(&exact->sum_abs_above, off);
    if (condition != 1)
        raise(&exact->condition, condition * relative);
    if (!computed || !isfinite(*computed))
        return;
    raise(&error->error, off);
    raise(&error->ulp_error, off / exact->ulp);
    raise(&error->relative_error, relative * (1 + error->relative_error));
    raise(&error->backward_error, backward * (1 + error->backward_error));
}

static void softmax_full(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error)
{
    const struct exponentials *const of = &row->of.exponentials;
    unsigned k = 0;
    struct value value = {.numerator = big_of(x == of->largest, 0), .denominator = of->sum};
    if (x < of->largest && !isinf(x)) {
        const struct fixed v = exponential(pair_sum(x, -of->largest), &k);
        value.numerator = big_of_fixed(&v, k);
    }
    value.scale = value.numerator;
    const double largest = (double)of->maxima, all = big_ratio(&value.numerator, &value.denominator, 0, 0);
    conclude_raised(&value,
                    isinf(x)          ? 0
                    : x < of->largest ? all
                                      : all * fmin(1, of->others / largest),
                    row, computed, error);
}

/* sum_abs: 1 at least. */
static void conclude_log(struct value *value, const struct number_row *row, const double *computed,
                         struct ulpscope_error *error)
{
    const struct big one = big_of(1, 0);
    bool is_below;
    (void)big_combined(&value->scale, &one, true, &is_below);
    value->scale = is_below ? one : value->scale;
    value->denominator = one;
    conclude_raised(value, big_ratio(&row->of.exponentials.log, &one, 0, 0), row, computed, error);
}

static struct big big_of_number(double x)
{
    int place;
    const uint64_t significand = significand_of(x, &place);
    return big_of(significand, significand ? place : 0);
}

static void log_full(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error)
{
    const struct exponentials *const of = &row->of.exponentials;
    struct value value = {.is_negative = true};
    bool is_below;
    if (isinf(x)) {
        conclude_special(x, computed, error);
        return;
    }
    const struct big number = big_of_number(x), largest = big_of_number(of->largest);
    const struct big offset = big_combined(&number, &largest, signbit(x) == signbit(of->largest), &is_below);
    value.numerator = value.scale = big_combined(&offset, &of->log, false, &is_below);
    value.is_negative = !big_is_zero(&value.numerator);
    conclude_log(&value, row, computed, error);
}

static void logsumexp_full(const struct number_row *row, double x, const double *computed, struct ulpscope_error *error)
{
    const struct exponentials *const of = &row->of.exponentials;
    const struct big largest = big_of_number(of->largest);
    const bool is_negative = signbit(of->largest);
    struct value value = {.is_root = false};
    bool is_below;
    (void)x;
    value.scale = big_combined(&largest, &of->log, false, &is_below);
    value.numerator = big_combined(&of->log, &largest, is_negative, &is_below);
    value.is_negative = is_negative && is_below;
    conclude_log(&value, row, computed, error);
}

const struct number_kind softmax_kind = {begin, softmax_near, softmax_full},
                         log_softmax_kind = {begin, log_near, log_full},
                         logsumexp_kind = {begin, never_near, logsumexp_full};
