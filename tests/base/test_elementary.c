/* exp and log of every number: errors, and how often their rounding to a format is not the nearest.
 *
 *   tests_base test_elementary          of binary32 540,000 numbers, of 16 bits all
 *   tests_base test_elementary --all    all of binary32 below 128
 *
 * A number of 24 bits is three of 8, and its exponential a product of three entries of tables that MPFR makes, each two
 * of binary64: off by less than 2^-98 of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/near.h"
#include "src/base/elementary.h"
#include "src/base/format.h"
#include "tests/support/random.h"

#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_all = false;

/* ---- what exp is ---- */

enum { ENTRIES = 256, PARTS = 3 };

static struct pair product(struct pair a, struct pair b)
{
    struct pair of = pair_product(a.high, b.high);
    of.low += a.high * b.low + a.low * b.high;
    const double high = of.high + of.low;
    return (struct pair){high, of.low - (high - of.high)};
}

/* exp(j 2^(e - 8 part)) */
static void fill(struct pair tables[PARTS][ENTRIES], int e, double sign)
{
    mpfr_t power;
    mpfr_init2(power, 200);
    for (int part = 0; part < PARTS; part++)
        for (int j = 0; j < ENTRIES; j++) {
            mpfr_set_d(power, sign * ldexp(j, e - 8 * part), MPFR_RNDN);
            mpfr_exp(power, power, MPFR_RNDN);
            tables[part][j].high = mpfr_get_d(power, MPFR_RNDN);
            mpfr_sub_d(power, power, tables[part][j].high, MPFR_RNDN);
            tables[part][j].low = mpfr_get_d(power, MPFR_RNDN);
        }
    mpfr_clear(power);
}

static bool is_tie(double x, const struct format *format)
{
    const struct format finer = {"",   8, format->precision + 1, format->least_exponent - 1, format->overflow_exponent,
                                 false};
    return rounded_to(x, format) != x && rounded_to(x, &finer) == x;
}

/* Of the pair to nearest; a tie is decided by what is below, which is never 0. */
static double nearest(struct pair of, const struct format *format)
{
    const double beyond = nextafter(of.high, of.low > 0 ? (double)INFINITY : -(double)INFINITY);
    return rounded_to(is_tie(of.high, format) ? beyond : of.high, format);
}

/* ---- what is seen ---- */

typedef double exponential(double x);

struct seen {
    uint64_t numbers, misrounded, undecided;
    double error, fast_error; /* relative to the value; of exp_fast() from 2^-126 on */
    float worst, of_fast;
};

static void look(struct seen *seen, exponential *computed, float x, struct pair exact)
{
    const double y = computed((double)x), error = fabs(((y - exact.high) - exact.low) / exact.high);
    const double fast = fabs(((exp_fast((double)x) - exact.high) - exact.low) / exact.high);
    if (error > seen->error)
        seen->error = error, seen->worst = x;
    if (exact.high >= 0x1.01p-126 && exact.high < 0x1p126 && fast > seen->fast_error)
        seen->fast_error = fast, seen->of_fast = x;
    seen->numbers++;
    seen->misrounded += rounded_to(y, &FORMAT_BINARY32) != nearest(exact, &FORMAT_BINARY32);
    seen->undecided += fabs(exact.low) < 0x1p-96 * exact.high && is_tie(exact.high, &FORMAT_BINARY32);
}

/* Of all numbers between 2^e and 2^(e+1), or some of them: hi every so many, mid as well, lo all. */
static void look_at_binade(struct seen *seen, exponential *computed, int e, double sign)
{
    static struct pair tables[PARTS][ENTRIES];
    const int every = is_of_all ? 1 : 32;
    fill(tables, e - 7, sign);
    for (int hi = 128; hi < 256; hi += every)
        for (int mid = 0; mid < 256; mid += every) {
            const struct pair upper = product(tables[0][hi], tables[1][mid]);
            const float first = (float)(sign * ldexp(hi * 65536 + mid * 256, e - 23)),
                        step = (float)(sign * ldexp(1, e - 23));
            for (int lo = 0; lo < 256; lo++)
                look(seen, computed, first + (float)lo * step, product(upper, tables[2][lo]));
        }
}

static double with_a_wrong_bit(double x)
{
    return exp_any(x) * (1 - 0x1p-51);
}

static struct seen look_at_all(exponential *computed)
{
    struct seen seen = {0};
    for (int e = is_of_all ? -126 : -27; e <= 6; e++)
        for (int sign = -1; sign <= 1; sign += 2)
            look_at_binade(&seen, computed, e, sign);
    return seen;
}

static void exp_is_off_by_what_is_said(void **state)
{
    const struct seen seen = look_at_all(exp_any);
    (void)state;
    print_message(
        "%llu numbers: exp off by %.4f of 2^-53 (at %a), exp_fast by %.4f of 2^-24 (at %a); %llu rounded to binary32 "
        "are not the nearest, %llu undecided\n",
        (unsigned long long)seen.numbers, seen.error * 0x1p53, (double)seen.worst, seen.fast_error * 0x1p24,
        (double)seen.of_fast, (unsigned long long)seen.misrounded, (unsigned long long)seen.undecided);
    assert_int_equal(seen.numbers, is_of_all ? UINT64_C(133) * 2 << 23 : 34 * 2 * 4 * 8 * 256);
    assert_true(seen.error < EXP_ERROR && seen.error > EXP_ERROR / 2);
    assert_true(seen.fast_error < EXP_FAST_ERROR && seen.fast_error > EXP_FAST_ERROR / 4);
    assert_int_equal(seen.misrounded, 0);
    assert_int_equal(seen.undecided, 0);
    if (is_of_all)
        return;
    const struct seen twin = look_at_all(with_a_wrong_bit);
    assert_false(twin.error < EXP_ERROR);
    assert_true(look_at_all(exp_fast).misrounded > 10000);
}

/* ---- 16 bits ---- */

static double nearest_exp(mpfr_ptr power, double x, const struct format *format)
{
    struct pair pair;
    mpfr_set_d(power, x, MPFR_RNDN);
    mpfr_exp(power, power, MPFR_RNDN);
    pair.high = mpfr_get_d(power, MPFR_RNDN);
    mpfr_sub_d(power, power, pair.high, MPFR_RNDN);
    pair.low = mpfr_get_d(power, MPFR_RNDN);
    return isfinite(pair.high) && pair.high != 0 ? nearest(pair, format) : rounded_to(pair.high, format);
}

static size_t misrounded(exponential *computed, const struct format *format, size_t *numbers)
{
    size_t differ = 0;
    mpfr_t power;
    mpfr_init2(power, 150);
    for (uint64_t bits = 0; bits < 1 << 16; bits++) {
        const double x = format_value(format, bits);
        if (isnan(x))
            continue;
        differ += rounded_to(computed(x), format) != nearest_exp(power, x, format);
        ++*numbers;
    }
    mpfr_clear(power);
    return differ;
}

static void exp_of_16_bits_is_the_nearest(void **state)
{
    size_t numbers = 0;
    (void)state;
    assert_int_equal(misrounded(exp_any, &FORMAT_BINARY16, &numbers), 0);
    assert_int_equal(misrounded(exp_any, &FORMAT_BFLOAT16, &numbers), 0);
    assert_int_equal(numbers, 2 * 65536 - 2 * 1023 - 2 * 127);
    assert_true(misrounded(exp_fast, &FORMAT_BFLOAT16, &numbers) > 0); /* the twin: 24 bits are too few */
}

/* ---- the range of binary64, and ends ---- */

/* Relative to the value and to 2^-1075 beside it. */
static double off(double computed, mpfr_ptr exact)
{
    mpfr_t error;
    mpfr_init2(error, 120);
    mpfr_d_sub(error, computed, exact, MPFR_RNDN);
    const double absolute = fabs(mpfr_get_d(error, MPFR_RNDU)), value = fabs(mpfr_get_d(exact, MPFR_RNDN));
    mpfr_div(error, error, exact, MPFR_RNDN);
    const double relative = fabs(mpfr_get_d(error, MPFR_RNDN));
    mpfr_clear(error);
    return value < 0x1p-1022 && absolute <= 0x1p-1074 ? 0 : relative;
}

static double most_off(double computed(double x), int by_mpfr(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding),
                       double low, double high)
{
    double most = 0;
    mpfr_t exact;
    mpfr_init2(exact, 120);
    seed_random(1);
    for (int k = 0; k < 20000; k++) {
        const double x = low + (high - low) * ((double)next_random() * 0x1p-64);
        mpfr_set_d(exact, x, MPFR_RNDN);
        by_mpfr(exact, exact, MPFR_RNDN);
        most = fmax(most, off(computed(x), exact));
    }
    mpfr_clear(exact);
    return most;
}

static void exp_and_log_reach_the_ends_of_binary64(void **state)
{
    (void)state;
    assert_true(most_off(exp_any, mpfr_exp, 690, 709.78) < EXP_ERROR);
    assert_true(most_off(exp_any, mpfr_exp, -709, -690) < EXP_ERROR);
    assert_true(most_off(exp_any, mpfr_exp, -746, -708) < EXP_ERROR);
    assert_false(most_off(with_a_wrong_bit, mpfr_exp, 690, 709.78) < EXP_ERROR);
    assert_true(most_off(log_any, mpfr_log, 0x1p-1074, 0x1p-1020) < LOG_ERROR);
    assert_true(most_off(log_any, mpfr_log, 0x1p-1074, 0x1p-1070) < LOG_ERROR);
    assert_true(most_off(log_any, mpfr_log, 0.5, 2) < LOG_ERROR && most_off(log_any, mpfr_log, 1, 1e4) < LOG_ERROR);
    static const struct {
        double x, exp, fast, log;
    } ends[] = {
        {0, 1, 1, -INFINITY},   {-0.0, 1, 1, -INFINITY}, {INFINITY, INFINITY, INFINITY, INFINITY},
        {-INFINITY, 0, 0, NAN}, {NAN, NAN, NAN, NAN},    {1, 0x1.5bf0a8b145769p+1, 0x1.5bf0a8p+1, 0},
        {-1e300, 0, 0, NAN},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const double x = ends[i].x, values[] = {exp_any(x), exp_fast(x), log_any(x)},
                     expected[] = {ends[i].exp, ends[i].fast, ends[i].log};
        for (int k = 0; k < 3; k++)
            if (!(values[k] == expected[k] || (isnan(values[k]) && isnan(expected[k]))))
                fail_msg("%g: %a, expected %a", x, values[k], expected[k]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_off_by_what_is_said),
        cmocka_unit_test(exp_of_16_bits_is_the_nearest),
        cmocka_unit_test(exp_and_log_reach_the_ends_of_binary64),
    };
    is_of_all = argc > 1 && strcmp(argv[1], "--all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
