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
#include "exponentials.h"

#include "near.h"
#include "odd.h"
#include "statistic.h"

#include "src/base/format.h"
#include "src/base/workers.h"

#include <math.h>

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

void exponentials_end(struct exponentials *of)
{
    enclosure_end(&of->others);
}

/* ---- the sum of exponentials ---- */

/* How often number i of the period stands in the row. */
static uint64_t times_of(const struct exponentials *of, uint64_t i)
{
    return of->n / of->period + (i < of->n % of->period);
}

static void look_at(struct exponentials *of)
{
    bool is_number = true;
    of->largest = of->second = -INFINITY;
    of->least = INFINITY;
    for (uint64_t i = 0; i < of->period; i++) {
        const double x = held_number(of->format, of->x, i);
        const uint64_t times = times_of(of, i);
        is_number = is_number && x < INFINITY;
        of->unmasked += x > -INFINITY ? times : 0;
        of->least = x > -INFINITY && x < of->least ? x : of->least;
        if (x > of->largest) {
            of->second = of->largest;
            of->largest = x;
            of->maxima = times;
        } else {
            of->maxima += x == of->largest ? times : 0;
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

static void add_integer(struct totals *totals, struct pair z, uint64_t times)
{
    enum { PLACES = 40 }; /* of z */
    int k;
    if (z.high <= EXP_LEAST)
        return;
    const limbs_wide v = exp_integer(z.high, z.low, &k);
    const limbs_wide shifted = k < 128 ? v >> k : 0;
    totals->high += (shifted >> 64) * times;
    totals->low += (limbs_wide)(uint64_t)shifted * times;
    totals->below += times * (k < 128 ? v << (128 - k) >> 64 : k < 192 ? v >> (k - 64) : 0);
    totals->moved += times * ((((shifted >> 64) + 2) * ((uint64_t)(-z.high * 0x1p40) + 2) >> PLACES) + 1);
}

static struct summing summing_of(const struct exponentials *of, mpfr_prec_t bits)
{
    const uint64_t useful = of->period / NUMBERS_OF_A_WORKER;
    struct summing summing = {.of = of, .workers = 1, .bits = bits};
    while (summing.workers < of->how.workers && summing.workers < useful && summing.workers < WORKERS_MOST)
        summing.workers++;
    return summing;
}

/* The first number of a worker. */
static uint64_t first_of(const struct summing *summing, unsigned worker)
{
    const uint64_t all = summing->of->period;
    return worker == summing->workers ? all : all / summing->workers * worker;
}

static void add_by_integers(void *context, unsigned worker)
{
    struct summing *summing = context;
    const struct exponentials *of = summing->of;
    struct totals totals = {0};
    for (uint64_t i = first_of(summing, worker); i < first_of(summing, worker + 1); i++) {
        const double x = held_number(of->format, of->x, i);
        if (x < of->largest && x > -INFINITY)
            add_integer(&totals, pair_sum(x, -of->second), times_of(of, i));
    }
    summing->totals[worker] = totals;
}

void exponentials_offset(const struct exponentials *of, double x, mpfr_t z)
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
        exponentials_offset(of, x, z);
        (void)mpfr_exp(term, z, MPFR_RNDD);
        (void)mpfr_mul_ui(term, term, times_of(of, i), MPFR_RNDD);
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

/* Terms are rounded down, twice, and so is each of at most n + 64 additions: no less than 1 - (n + 66) 2^(1-bits) of
 * the sum is left.  A term that becomes 0 is less than 2^LEAST_EXPONENT. */
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
    exponentials_offset(of, of->second, z);
    mpfr_inits2(of->bits, factor, offset, (mpfr_ptr)0);
    (void)mpfr_exp(factor, z, MPFR_RNDD);
    (void)mpfr_mul(of->others.low, sum.low, factor, MPFR_RNDD);
    mpfr_nextabove(factor);
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
    struct enclosure sum, log; /* of 1/D, too */
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
    of->log = scaled_between(log.low, log.high);
    (void)mpfr_ui_div(log.low, 1, sum.high, MPFR_RNDD);
    (void)mpfr_ui_div(log.high, 1, sum.low, MPFR_RNDU);
    of->reciprocal = scaled_between(log.low, log.high);
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

enum status exponentials_begin(struct exponentials *of, const struct format *format, struct exact_how how,
                               const void *x, uint64_t period, uint64_t n)
{
    *of = (struct exponentials){.format = format,
                                .how = how,
                                .x = x,
                                .period = period < n ? period : n,
                                .n = n,
                                .bits = 192,
                                .moments = no_moments(n)};
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

/* At BITS_MOST the difference from a number is less
 * than the least number of binary64. */
void exponentials_value(struct exponentials *of, const struct asked *asked, mpfr_t result)
{
    for (mpfr_prec_t bits = first_bits(of, asked);; bits *= 2) {
        mpfr_set_prec(result, bits);
        while (!(asked->is_quotient ? make_quotient : make_affine)(of, asked, result))
            deepen(of, bits + BITS_MORE);
        if (bits >= BITS_MOST || is_apart(result))
            return;
    }
}
