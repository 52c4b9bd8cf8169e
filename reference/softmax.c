/* Most elements are decided by integers of 126 bits (exp_integer.h, scaled.h), the sum of whose exponentials is made
 * once.  The others, and those asked for in full, by MPFR with rising precision.  That ends: exponentials of different
 * rationals are linearly independent over the algebraic numbers (Lindemann and Weierstrass), so that
 *
 *   softmax       is rational where all x but -inf are equal, 1/m; else transcendental
 *   the others    are rational where there is one x but -inf, L = 0; else transcendental
 *
 * and what is no number of so many bits lies on one side of it at some precision.  How far that goes: of {0, -1e9} s is
 * 1 - 2^-1442695040.., so that what is nearly a number c in this way is made as c + d, d being known to its own
 * precision, in one rounding; other ways need a multiple of the 1,074 bits of the least number. */
#include "softmax.h"

#include "exp_integer.h"
#include "near.h"
#include "odd.h"
#include "scaled.h"
#include "statistic.h"

#include "src/base/format.h"
#include "src/base/workers.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

struct enclosure {
    mpfr_t low, high;
};

/* What all results have in common. */
struct exponentials {
    const struct format *format;
    struct exact_how how;
    const void *x;
    uint64_t n, unmasked, maxima;  /* x but -inf; those that are M */
    double largest, second, least; /* M; the largest x below it, -inf if there is none; the least x but -inf */
    bool is_defined;
    mpfr_prec_t bits;        /* of `others` */
    struct enclosure others; /* D - maxima: 0 where all are equal, else > 0 */
    struct moments moments;
};

static void enclosure_begin(struct enclosure *of, mpfr_prec_t bits)
{
    mpfr_inits2(bits, of->low, of->high, (mpfr_ptr)0);
    mpfr_set_zero(of->low, 1);
    mpfr_set_zero(of->high, 1);
}

static void enclosure_end(struct enclosure *of)
{
    mpfr_clears(of->low, of->high, (mpfr_ptr)0);
}

static bool has_others(const struct exponentials *of)
{
    return of->unmasked > of->maxima;
}

/* ---- the sum of exponentials ---- */

static void look_at(struct exponentials *of)
{
    bool is_number = true;
    of->largest = of->second = -INFINITY;
    of->least = INFINITY;
    for (uint64_t i = 0; i < of->n; i++) {
        const double x = held_number(of->format, of->x, i);
        is_number = is_number && x < INFINITY;
        of->unmasked += x > -INFINITY;
        of->least = x > -INFINITY && x < of->least ? x : of->least;
        if (x > of->largest) {
            of->second = of->largest;
            of->largest = x;
            of->maxima = 1;
        } else {
            of->maxima += x == of->largest;
            of->second = x < of->largest && x > of->second ? x : of->second;
        }
    }
    of->is_defined = is_number && of->unmasked > 0;
}

enum { WORKERS_MOST = 64, NUMBERS_OF_A_WORKER = 1 << 12 };
enum { MOVED_BITS = EXP_PLACES - 64, LEAST_EXPONENT = -(1 << 29) };

/* Of the x below M, by integers: e^(x - second), in three parts of 64 bits each, and times second - x, which moments
 * need, rounded up. */
struct totals {
    limbs_wide high, low, below; /* of 2^64, 1 and 2^-64 times 2^-126 */
    limbs_wide moved;            /* of 2^-62 */
};

struct summing {
    const struct exponentials *of;
    unsigned workers;
    mpfr_prec_t bits; /* of sums by MPFR */
    struct totals totals[WORKERS_MOST];
    mpfr_t sums[WORKERS_MOST];
};

static void add_integer(struct totals *totals, struct pair z)
{
    enum { PLACES = 40 }; /* of z */
    int k;
    if (z.high <= EXP_LEAST)
        return;
    const limbs_wide v = exp_integer(z.high, z.low, &k);
    const limbs_wide shifted = k < 128 ? v >> k : 0;
    totals->high += (uint64_t)(shifted >> 64);
    totals->low += (uint64_t)shifted;
    totals->below += k < 128 ? (uint64_t)(v << (128 - k) >> 64) : k < 192 ? (uint64_t)(v >> (k - 64)) : 0;
    totals->moved += (((shifted >> 64) + 2) * ((uint64_t)(-z.high * 0x1p40) + 2) >> PLACES) + 1;
}

static struct summing summing_of(const struct exponentials *of, mpfr_prec_t bits)
{
    const uint64_t useful = of->n / NUMBERS_OF_A_WORKER;
    struct summing summing = {.of = of, .workers = 1, .bits = bits};
    while (summing.workers < of->how.workers && summing.workers < useful && summing.workers < WORKERS_MOST)
        summing.workers++;
    return summing;
}

/* The first number of a worker. */
static uint64_t first_of(const struct summing *summing, unsigned worker)
{
    return worker == summing->workers ? summing->of->n : summing->of->n / summing->workers * worker;
}

static void add_by_integers(void *context, unsigned worker)
{
    struct summing *summing = context;
    const struct exponentials *of = summing->of;
    struct totals totals = {0};
    for (uint64_t i = first_of(summing, worker); i < first_of(summing, worker + 1); i++) {
        const double x = held_number(of->format, of->x, i);
        if (x < of->largest && x > -INFINITY)
            add_integer(&totals, pair_sum(x, -of->second));
    }
    summing->totals[worker] = totals;
}

/* z = x - M, exactly; it is initialised. */
static void set_offset(const struct exponentials *of, double x, mpfr_t z)
{
    int rounded = 0;
    mpfr_t number, largest;
    mpfr_inits2(DBL_MANT_DIG, number, largest, (mpfr_ptr)0);
    (void)mpfr_set_d(number, x, MPFR_RNDN);
    (void)mpfr_set_d(largest, of->largest, MPFR_RNDN);
    exact_subtract(&rounded, z, number, largest);
    mpfr_clears(number, largest, (mpfr_ptr)0);
}

static void add_by_mpfr(void *context, unsigned worker)
{
    struct summing *summing = context;
    const struct exponentials *of = summing->of;
    mpfr_t term, z;
    mpfr_init2(term, summing->bits);
    mpfr_init2(summing->sums[worker], summing->bits);
    mpfr_set_zero(summing->sums[worker], 1);
    for (uint64_t i = first_of(summing, worker); i < first_of(summing, worker + 1); i++) {
        const double x = held_number(of->format, of->x, i);
        if (!(x < of->largest && x > -INFINITY))
            continue;
        set_offset(of, x, z);
        (void)mpfr_exp(term, z, MPFR_RNDD);
        (void)mpfr_add(summing->sums[worker], summing->sums[worker], term, MPFR_RNDD);
        mpfr_clear(z);
    }
    mpfr_clear(term);
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

/* others->high: low and what it may lack, a share of it and an absolute error; where low is 0 it becomes the least
 * number: what is more than 0 is added as that is. */
static void set_high(struct enclosure *others, double share, double error)
{
    mpfr_t more;
    mpfr_init2(more, DBL_MANT_DIG);
    (void)mpfr_mul_d(more, others->low, share, MPFR_RNDU);
    (void)mpfr_add(others->high, others->low, more, MPFR_RNDU);
    (void)mpfr_set_d(more, error, MPFR_RNDU);
    (void)mpfr_mul_2si(more, more, LEAST_EXPONENT, MPFR_RNDU);
    (void)mpfr_add(others->high, others->high, more, MPFR_RNDU);
    if (mpfr_zero_p(others->low))
        mpfr_nextabove(others->low);
    mpfr_clear(more);
}

/* Terms are rounded down, and so is each of at most n + 64 additions: no less than 1 - (n + 65) 2^(1-bits) of the sum
 * is left.  A term that becomes 0 is less than 2^LEAST_EXPONENT. */
static void others_by_mpfr(const struct exponentials *of, mpfr_prec_t bits, struct enclosure *others)
{
    struct summing summing = summing_of(of, bits);
    enclosure_begin(others, bits);
    workers_run(summing.workers, add_by_mpfr, &summing);
    for (unsigned w = 0; w < summing.workers; w++) {
        (void)mpfr_add(others->low, others->low, summing.sums[w], MPFR_RNDD);
        mpfr_clear(summing.sums[w]);
    }
    set_high(others, ldexp((double)of->n + WORKERS_MOST, 3 - (int)bits), (double)of->n);
}

/* value += integer 2^exponent */
static void add_part(mpfr_t value, limbs_wide integer, long exponent)
{
    mpfr_t part;
    mpfr_init2(part, 64);
    for (int half = 0; half < 2; half++, integer >>= 64, exponent += 64) {
        (void)mpfr_set_uj_2exp(part, (uint64_t)integer, exponent, MPFR_RNDN);
        (void)mpfr_add(value, value, part, MPFR_RNDN);
    }
    mpfr_clear(part);
}

/* low +- share low, which is rounded up. */
static void set_around(struct enclosure *of, double share)
{
    mpfr_t off;
    mpfr_init2(off, DBL_MANT_DIG);
    (void)mpfr_mul_d(off, of->low, share, MPFR_RNDU);
    (void)mpfr_add(of->high, of->low, off, MPFR_RNDU);
    (void)mpfr_sub(of->low, of->low, off, MPFR_RNDD);
    mpfr_clear(off);
}

/* sum e^(x - second), and sum e^(x - second) (second - x), rounded up.  A term is (v +- 20) 2^(-126-k), less than
 * 2^-190 is cut of it, and it is left out below 2^-1586; the sum is at least 1, that of `second`, so that it is off by
 * less than 21 2^-126 of it. */
static void sums_from_second(const struct exponentials *of, struct enclosure *sum, mpfr_t moved)
{
    struct summing summing = summing_of(of, 0);
    exp_integer_begin();
    workers_run(summing.workers, add_by_integers, &summing);
    struct totals *const all = summing.totals;
    for (unsigned w = 1; w < summing.workers; w++) {
        all->high += all[w].high;
        all->low += all[w].low;
        all->below += all[w].below;
        all->moved += all[w].moved;
    }
    enclosure_begin(sum, 64 + EXP_PLACES + 64); /* exact */
    add_part(sum->low, all->high, 64 - EXP_PLACES);
    add_part(sum->low, all->low, -EXP_PLACES);
    add_part(sum->low, all->below, -64 - EXP_PLACES);
    mpfr_init2(moved, 128);
    mpfr_set_zero(moved, 1);
    add_part(moved, all->moved + of->n, -MOVED_BITS);
    set_around(sum, ldexp(EXP_OFF + 2, -EXP_PLACES));
}

/* Both times e^(second - M); *moved becomes sum e^z |z|, with |z| = (second - x) + (M - second). */
static void others_by_integers(struct exponentials *of)
{
    struct enclosure sum;
    mpfr_t moved, z, factor, offset;
    enclosure_begin(&of->others, of->bits);
    if (!has_others(of)) {
        of->moments.exps_moved = 0;
        return;
    }
    sums_from_second(of, &sum, moved);
    set_offset(of, of->second, z);
    mpfr_inits2(of->bits, factor, offset, (mpfr_ptr)0);
    (void)mpfr_exp(factor, z, MPFR_RNDD);
    (void)mpfr_mul(of->others.low, sum.low, factor, MPFR_RNDD);
    (void)mpfr_exp(factor, z, MPFR_RNDU);
    (void)mpfr_mul(of->others.high, sum.high, factor, MPFR_RNDU);
    (void)mpfr_mul(offset, sum.high, z, MPFR_RNDD);
    (void)mpfr_sub(moved, moved, offset, MPFR_RNDU);
    (void)mpfr_mul(moved, moved, factor, MPFR_RNDU);
    of->moments.exps_moved = mpfr_get_d(moved, MPFR_RNDU);
    if (mpfr_zero_p(of->others.low))
        mpfr_nextabove(of->others.low);
    mpfr_clears(moved, z, factor, offset, (mpfr_ptr)0);
    enclosure_end(&sum);
}

/* To more bits. */
static void deepen(struct exponentials *of, mpfr_prec_t bits)
{
    struct enclosure others;
    of->bits = bits > of->bits ? bits : 2 * of->bits;
    others_by_mpfr(of, of->bits, &others);
    enclosure_end(&of->others);
    of->others = others;
}

/* D, and L = ln D, which is 0 of one number. */
static void enclose_sum(const struct exponentials *of, struct enclosure *sum)
{
    mpfr_t count;
    exact_set_count(count, of->maxima);
    enclosure_begin(sum, of->bits);
    (void)mpfr_add(sum->low, of->others.low, count, MPFR_RNDD);
    (void)mpfr_add(sum->high, of->others.high, count, MPFR_RNDU);
    mpfr_clear(count);
}

static void enclose_log(const struct exponentials *of, struct enclosure *log)
{
    if (of->maxima == 1) {
        enclosure_begin(log, of->bits);
        (void)mpfr_log1p(log->low, of->others.low, MPFR_RNDD);
        (void)mpfr_log1p(log->high, of->others.high, MPFR_RNDU);
    } else {
        enclose_sum(of, log);
        (void)mpfr_log(log->low, log->low, MPFR_RNDD);
        (void)mpfr_log(log->high, log->high, MPFR_RNDU);
    }
}

static void set_moments(struct exponentials *of)
{
    struct moments *const moments = &of->moments;
    struct enclosure sum, log;
    mpfr_t lse;
    enclose_sum(of, &sum);
    enclose_log(of, &log);
    moments->unmasked = (double)of->unmasked * (of->unmasked < UINT64_C(1) << 53 ? 1 : 1 + DBL_EPSILON);
    moments->largest = of->largest;
    moments->least = of->least;
    moments->max_abs = fmax(fabs(of->largest), fabs(of->least));
    moments->exps = mpfr_get_d(sum.high, MPFR_RNDU);
    moments->exps_below = mpfr_get_d(sum.low, MPFR_RNDD);
    moments->log_exps = mpfr_get_d(log.high, MPFR_RNDU);
    moments->log_exps_below = mpfr_get_d(log.low, MPFR_RNDD);
    mpfr_init2(lse, DBL_MANT_DIG);
    (void)mpfr_add_d(lse, log.high, of->largest, MPFR_RNDU);
    moments->abs_lse = mpfr_get_d(lse, MPFR_RNDU);
    (void)mpfr_add_d(lse, log.low, of->largest, MPFR_RNDD);
    moments->abs_lse = fmax(moments->abs_lse, -mpfr_get_d(lse, MPFR_RNDD));
    mpfr_clear(lse);
    enclosure_end(&sum);
    enclosure_end(&log);
}

/* Integers and MPFR must agree. */
static enum status verify(const struct exponentials *of)
{
    struct enclosure others;
    others_by_mpfr(of, of->bits, &others);
    const bool agree = mpfr_lessequal_p(others.low, of->others.high) && mpfr_lessequal_p(of->others.low, others.high);
    enclosure_end(&others);
    return agree ? OK
                 : not_measured("the exact reference has two sums of the same exponentials: this is a bug, please "
                                "report it with the data");
}

/* Ended by enclosure_end(&of->others), also after a failure. */
static enum status begin(struct exponentials *of, const struct format *format, struct exact_how how, const void *x,
                         uint64_t n)
{
    *of = (struct exponentials){.format = format, .how = how, .x = x, .n = n, .bits = 192, .moments = no_moments(n)};
    look_at(of);
    if (!of->is_defined) {
        enclosure_begin(&of->others, of->bits);
        return OK;
    }
    others_by_integers(of);
    set_moments(of);
    return how.verify && has_others(of) ? verify(of) : OK;
}

/* ---- one value ---- */

/* a + times L, or its negative; of a quotient e^a / D. */
struct asked {
    bool is_quotient;
    mpfr_t a, times;
};

static bool is_below(const mpfr_t value, mpfr_exp_t exponent)
{
    return mpfr_zero_p(value) || (mpfr_regular_p(value) && mpfr_get_exp(value) <= exponent);
}

/* From the two ends of an enclosure, both rounded toward 0, of what is no number of so many bits: whether they say what
 * it is, rounded to odd. */
static bool is_settled(mpfr_t low, const mpfr_t high)
{
    enum { LEAST = -65536 };
    const int sign = mpfr_sgn(high) ? mpfr_sgn(high) : mpfr_sgn(low);
    if (mpfr_sgn(low) * mpfr_sgn(high) >= 0 && is_below(low, LEAST) && is_below(high, LEAST)) {
        (void)mpfr_set_si_2exp(low, sign, LEAST, MPFR_RNDN);
        (void)mpfr_mul_d(low, low, 1 - DBL_EPSILON, MPFR_RNDN);
        return odd_rounded(low, 1);
    }
    return mpfr_regular_p(low) && mpfr_equal_p(low, high) && odd_rounded(low, 1);
}

static bool make_affine(const struct exponentials *of, const struct asked *asked, mpfr_t result)
{
    struct enclosure log;
    mpfr_t high;
    enclose_log(of, &log);
    mpfr_init2(high, mpfr_get_prec(result));
    (void)mpfr_mul(log.low, log.low, asked->times, MPFR_RNDD);
    (void)mpfr_mul(log.high, log.high, asked->times, MPFR_RNDU);
    if (mpfr_zero_p(log.low))
        mpfr_nextabove(log.low);
    (void)mpfr_add(result, asked->a, log.low, MPFR_RNDZ);
    (void)mpfr_add(high, asked->a, log.high, MPFR_RNDZ);
    const bool is_made = is_settled(result, high);
    mpfr_clear(high);
    enclosure_end(&log);
    return is_made;
}

/* 1/m - R / (m D), of D = m + R and m a power of two. */
static void take_from_share(const struct exponentials *of, const struct enclosure *sum, mpfr_t result, mpfr_t high)
{
    struct enclosure less;
    mpfr_t share;
    enclosure_begin(&less, of->bits);
    exact_set_count(share, of->maxima);
    (void)mpfr_div(less.low, of->others.low, sum->high, MPFR_RNDD);
    (void)mpfr_div(less.high, of->others.high, sum->low, MPFR_RNDU);
    (void)mpfr_div(less.low, less.low, share, MPFR_RNDD);
    (void)mpfr_div(less.high, less.high, share, MPFR_RNDU);
    if (mpfr_zero_p(less.low))
        mpfr_nextabove(less.low);
    (void)mpfr_ui_div(share, 1, share, MPFR_RNDN); /* exactly */
    (void)mpfr_sub(result, share, less.high, MPFR_RNDZ);
    (void)mpfr_sub(high, share, less.low, MPFR_RNDZ);
    mpfr_clear(share);
    enclosure_end(&less);
}

static bool make_quotient(const struct exponentials *of, const struct asked *asked, mpfr_t result)
{
    struct enclosure sum, quotient;
    mpfr_t high;
    enclose_sum(of, &sum);
    enclosure_begin(&quotient, of->bits);
    mpfr_init2(high, mpfr_get_prec(result));
    if (mpfr_zero_p(asked->a) && (of->maxima & (of->maxima - 1)) == 0) {
        take_from_share(of, &sum, result, high);
    } else {
        (void)mpfr_exp(quotient.low, asked->a, MPFR_RNDD);
        (void)mpfr_exp(quotient.high, asked->a, MPFR_RNDU);
        (void)mpfr_div(quotient.low, quotient.low, sum.high, MPFR_RNDD);
        (void)mpfr_div(quotient.high, quotient.high, sum.low, MPFR_RNDU);
        (void)mpfr_set(result, quotient.low, MPFR_RNDZ);
        (void)mpfr_set(high, quotient.high, MPFR_RNDZ);
    }
    const bool is_made = is_settled(result, high);
    mpfr_clear(high);
    enclosure_end(&sum);
    enclosure_end(&quotient);
    return is_made;
}

/* Whether it has 56 bits or more to say what it differs by from the number of binary64 next to it. */
static bool is_apart(const mpfr_t value)
{
    mpfr_t difference;
    mpfr_init2(difference, DBL_MANT_DIG);
    (void)mpfr_set(difference, value, MPFR_RNDN);
    (void)mpfr_prec_round(difference, mpfr_get_prec(value), MPFR_RNDN);
    (void)mpfr_sub(difference, value, difference, MPFR_RNDN);
    const mpfr_exp_t least = mpfr_get_exp(value) - (mpfr_exp_t)mpfr_get_prec(value);
    const bool is_apart = mpfr_get_exp(difference) - least >= DBL_MANT_DIG + 3;
    mpfr_clear(difference);
    return is_apart;
}

enum { BITS_LEAST = 192, BITS_MOST = 4096, BITS_MORE = 128 };

/* What is nearly a or 1/m needs as many bits as it is nearer, and 96 of the difference. */
static mpfr_prec_t first_bits(const struct exponentials *of, const struct asked *asked)
{
    const mpfr_exp_t of_others = of->maxima == 1 || asked->is_quotient ? mpfr_get_exp(of->others.low) : 0;
    mpfr_exp_t gap = 0;
    if (asked->is_quotient && mpfr_zero_p(asked->a))
        gap = -of_others;
    else if (!asked->is_quotient && mpfr_regular_p(asked->a))
        gap = mpfr_get_exp(asked->a) - mpfr_get_exp(asked->times) - of_others;
    gap += 96;
    return gap < BITS_LEAST ? BITS_LEAST : gap > BITS_MOST ? BITS_MOST : (mpfr_prec_t)gap;
}

/* Of more than one number that are not all equal, or of a logarithm.  At BITS_MOST the difference from a number is less
 * than the least number of binary64. */
static void make_value(struct exponentials *of, const struct asked *asked, mpfr_t result)
{
    for (mpfr_prec_t bits = first_bits(of, asked);; bits *= 2) {
        mpfr_set_prec(result, bits);
        while (!(asked->is_quotient ? make_quotient : make_affine)(of, asked, result))
            deepen(of, bits + BITS_MORE);
        if (bits >= BITS_MOST || is_apart(result))
            return;
    }
}

/* ---- what follows from it ---- */

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
        make_value(of, asked, exact->sum);
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

/* Products with a masked x: +inf where one has a weight; else x without them, allocated. */
static enum status take_masked_out(const struct exponentials *of, const void *y, void **unmasked, bool *is_infinite)
{
    *unmasked = calloc(of->n + 1, sizeof(double));
    if (!*unmasked)
        return out_of_memory("an exact cross-entropy");
    for (uint64_t i = 0; i < of->n; i++) {
        const double x = held_number(of->format, of->x, i);
        *is_infinite = *is_infinite || (isinf(x) && held_number(of->format, y, i) > 0);
        held_set(of->format, *unmasked, i, isinf(x) ? 0 : x);
    }
    return OK;
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
    void *x = NULL;
    bool is_infinite = false;
    TRY(exact_sum_how(of->format, of->how, y, of->n, &weights));
    if (!of->is_defined || weights.kind != EXACT_FINITE || !mpfr_equal_p(weights.sum, weights.sum_abs)) {
        exact->kind = EXACT_NAN;
        exact->moments = no_moments(of->n);
        return OK;
    }
    enum status status = take_masked_out(of, y, &x, &is_infinite);
    if (status == OK)
        status = exact_dot(of->format, of->how, x, y, of->n, &products);
    free(x);
    if (status == OK) {
        exact->kind = is_infinite ? EXACT_INF : EXACT_FINITE;
        exact->moments = of->moments;
        mpfr_set_inf(exact->sum, 1);
        status = set_weighted(of, &weights, &products, exact);
    }
    return status;
}

/* y: NULL of a logsumexp. */
static enum status make_one(const struct format *format, struct exact_how how, const void *x, const void *y, uint64_t n,
                            struct exact_sum *exact)
{
    struct exponentials of;
    TRY(exact_sum_how(format, how, x, n, exact));
    enum status status = begin(&of, format, how, x, n);
    if (status == OK && y)
        status = make_weighted(&of, y, exact);
    else if (status == OK)
        make_logsumexp(&of, exact);
    enclosure_end(&of.others);
    if (status == OK)
        conclude(exact);
    else
        exact_free(exact);
    return status;
}

enum status exact_logsumexp(const struct format *format, struct exact_how how, const void *x, uint64_t n,
                            struct exact_sum *exact)
{
    return make_one(format, how, x, NULL, n, exact);
}

enum status exact_cross_entropy(const struct format *format, struct exact_how how, const void *x, const void *y,
                                uint64_t n, struct exact_sum *exact)
{
    return make_one(format, how, x, y, n, exact);
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
    struct scaled log, reciprocal; /* L and 1/D */
    struct deepened *deepened;
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
    set_offset(of, x, asked.a);
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
            make_value(of, &asked, exact->sum);
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

/* x >= 0 in units of 2^exponent, rounded down; it is below 2^127 of them. */
static limbs_wide in_units(double x, int exponent)
{
    int of_x;
    const limbs_wide significand = (limbs_wide)ldexp(frexp(x, &of_x), DBL_MANT_DIG);
    const int shift = of_x - DBL_MANT_DIG - exponent;
    return shift >= 0 ? significand << shift : shift > -DBL_MANT_DIG ? significand >> -shift : 0;
}

/* L - z: each of the three is cut at a unit. */
static struct scaled less_log(const struct scaled *log, struct pair z)
{
    if (z.high == 0 || log->integer == 0 || !isfinite(z.high))
        return isfinite(z.high) ? *log : (struct scaled){0};
    const int of_z = ilogb(z.high), of_log = log->exponent + SCALED_BITS - 1;
    const int exponent = (of_z > of_log ? of_z : of_log) - (SCALED_BITS - 2), shift = exponent - log->exponent;
    const limbs_wide low = in_units(fabs(z.low), exponent);
    struct scaled sum = {.exponent = exponent, .off = 4 + (shift < 128 ? log->off >> shift : 0)};
    sum.integer = in_units(-z.high, exponent) + (shift < 128 ? log->integer >> shift : 0) + (z.low < 0 ? low : -low);
    if (sum.integer >> (SCALED_BITS - 1) == 0)
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
    const double x = held_number(base->format, base->x, i), largest = base->moments.largest;
    if (!row->deepened->of.is_defined || (row->is_log && isinf(x)))
        return false;
    if (isinf(x)) {
        *element = (struct exact_element){EXACT_FINITE, 0, ldexp(1, result->least_exponent), 0, 0, computed};
        return true;
    }
    const struct pair z = pair_sum(x, -largest);
    const struct scaled value = row->is_log ? less_log(&row->log, z) : quotient(&row->reciprocal, z);
    if (!scaled_element(&value, row->is_log, result, computed, element))
        return false;
    element->sum_abs_above = row->is_log ? fmax(element->abs_above, 1) : element->abs_above;
    return true;
}

static void softmax_free(struct exact_row *base)
{
    struct softmax_row *row = (struct softmax_row *)base;
    enclosure_end(&row->deepened->of.others);
    pthread_mutex_destroy(&row->deepened->mutex);
    free(row->deepened);
    free(row);
}

static void set_scaled(struct softmax_row *row)
{
    const struct exponentials *const of = &row->deepened->of;
    struct enclosure sum, log;
    enclose_sum(of, &sum);
    enclose_log(of, &log);
    row->log = scaled_between(log.low, log.high);
    (void)mpfr_ui_div(log.low, 1, sum.high, MPFR_RNDD);
    (void)mpfr_ui_div(log.high, 1, sum.low, MPFR_RNDU);
    row->reciprocal = scaled_between(log.low, log.high);
    enclosure_end(&sum);
    enclosure_end(&log);
}

enum status exact_softmax_row(bool is_log, const struct format *format, struct exact_how how, const void *x, uint64_t n,
                              struct exact_row **row)
{
    static const struct exact_row_kind kind = {
        .free = softmax_free, .element = softmax_element, .quick = element_by_integers};
    struct softmax_row *made = calloc(1, sizeof *made);
    struct deepened *deepened = calloc(1, sizeof *deepened);
    *row = NULL;
    if (!made || !deepened) {
        free(made);
        free(deepened);
        return out_of_memory("exact exponentials of a row");
    }
    *made = (struct softmax_row){{.kind = &kind, .format = format, .x = x, .n = n}, is_log, {0}, {0}, deepened};
    (void)pthread_mutex_init(&deepened->mutex, NULL);
    const enum status status = begin(&deepened->of, format, how, x, n);
    made->base.moments = deepened->of.moments;
    if (status == OK && deepened->of.is_defined)
        set_scaled(made);
    if (status == OK)
        *row = &made->base;
    else
        softmax_free(&made->base);
    return status;
}
