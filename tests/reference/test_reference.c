/* The reference: exact means exact, to the bit. */
#include "fixed.h"
#include "reference/exact.h"
#include "tests/support/adversarial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TERMS(...) ((const float[]){__VA_ARGS__}), COUNT_OF(((const float[]){__VA_ARGS__}))

/* ---- an exact sum and its second opinion ---- */

static struct exact_sum sum_of(const float *x, size_t n)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &exact), OK);
    return exact;
}

struct opinion {
    mpz_t sum, sum_abs; /* in units of 2^-149 */
};

static struct opinion opinion_of(const float *x, size_t n)
{
    struct opinion opinion;
    mpz_inits(opinion.sum, opinion.sum_abs, (mpz_ptr)0);
    fixed_sum(&FORMAT_BINARY32, x, n, opinion.sum, opinion.sum_abs);
    return opinion;
}

static void opinion_free(struct opinion *opinion)
{
    mpz_clears(opinion->sum, opinion->sum_abs, (mpz_ptr)0);
}

/* value == integer 2^-149 */
static bool same_number(const mpfr_t value, const mpz_t integer)
{
    mpfr_t scaled;
    mpfr_init2(scaled, mpfr_get_prec(value));
    mpfr_mul_2si(scaled, value, 149, MPFR_RNDN);
    const bool same = mpfr_cmp_z(scaled, integer) == 0;
    mpfr_clear(scaled);
    return same;
}

/* The nearest of three binary32 to the sum, by exact distances; none of them is infinite unless the sum overflows. */
static float nearest_by_distance(const mpz_t sum)
{
    mpq_t s, candidate, distance, least;
    mpq_inits(s, candidate, distance, least, (mpq_ptr)0);
    mpq_set_z(s, sum);
    mpq_div_2exp(s, s, 149);
    const double near = mpq_get_d(s); /* truncated */
    float start = near > (double)FLT_MAX ? FLT_MAX : near < -(double)FLT_MAX ? -FLT_MAX : (float)near, best = start;
    float candidates[] = {start, nextafterf(start, -FLT_MAX), nextafterf(start, FLT_MAX)};
    for (size_t i = 0; i < COUNT_OF(candidates); i++) {
        mpq_set_d(candidate, (double)candidates[i]);
        mpq_sub(distance, s, candidate);
        mpq_abs(distance, distance);
        const int closer = i == 0 ? -1 : mpq_cmp(distance, least);
        if (closer < 0 || (closer == 0 && float_bits(candidates[i]) % 2 == 0)) {
            mpq_set(least, distance);
            best = candidates[i];
        }
    }
    mpq_set_d(candidate, 0x1p103); /* half an ulp beyond FLT_MAX the next number is 2^128, and even */
    if (fabsf(best) == FLT_MAX && mpq_cmp(least, candidate) >= 0)
        best = copysignf(INFINITY, best);
    mpq_clears(s, candidate, distance, least, (mpq_ptr)0);
    return best == 0 ? 0 : best;
}

static double quotient_of(const mpz_t a, const mpz_t b)
{
    mpq_t quotient;
    mpfr_t rounded;
    mpq_init(quotient);
    mpfr_init2(rounded, 53);
    mpq_set_num(quotient, a);
    mpq_set_den(quotient, b);
    mpq_canonicalize(quotient);
    mpfr_set_q(rounded, quotient, MPFR_RNDN);
    const double value = fabs(mpfr_get_d(rounded, MPFR_RNDN));
    mpq_clear(quotient);
    mpfr_clear(rounded);
    return value;
}

/* ---- the sum ---- */

static void exact_sum_equals_the_integer_sum_in_every_bit(void **state)
{
    (void)state;
    static float x[LENGTH_MOST];
    size_t overflows = 0, subnormals = 0, zeros = 0;
    seed_random(1);
    for (size_t round = 0; round < 100000; round++) {
        const size_t n = some_length(round / COUNT_OF(fills));
        fills[round % COUNT_OF(fills)](&FORMAT_BINARY32, x, n);
        struct exact_sum exact = sum_of(x, n);
        struct opinion opinion = opinion_of(x, n);
        const uint32_t nearest = float_bits((float)exact.nearest + 0); /* an integer has no -0 */
        assert_int_equal(exact.kind, EXACT_FINITE);
        assert_true(same_number(exact.sum, opinion.sum));
        assert_true(same_number(exact.sum_abs, opinion.sum_abs));
        assert_true((double)(float)exact.nearest == exact.nearest);
        assert_int_equal(nearest, fixed_nearest_bits(&FORMAT_BINARY32, opinion.sum, &FORMAT_BINARY32));
        assert_int_equal(nearest, float_bits(nearest_by_distance(opinion.sum)));
        overflows += isinf(exact.nearest) ? 1 : 0;
        zeros += exact.nearest == 0;
        subnormals += exact.nearest != 0 && fabs(exact.nearest) < (double)FLT_MIN;
        exact_free(&exact);
        opinion_free(&opinion);
    }
    assert_true(overflows > 8000 && subnormals > 3000 && zeros > 12000); /* the data are what they are said to be */
}

/* The twin of same_number: it sees a difference of the least subnormal beside the largest numbers. */
static void comparison_of_sums_sees_a_difference_in_the_last_bit(void **state)
{
    (void)state;
    struct exact_sum exact = sum_of(TERMS(FLT_MAX, FLT_MAX, 0x1p-149f));
    struct opinion same = opinion_of(TERMS(0x1p-149f, FLT_MAX, FLT_MAX)), other = opinion_of(TERMS(FLT_MAX, FLT_MAX));
    assert_true(same_number(exact.sum, same.sum));
    assert_false(same_number(exact.sum, other.sum));
    exact_free(&exact);
    opinion_free(&same);
    opinion_free(&other);
}

static void condition_ulp_and_upper_bounds_follow_from_the_integer_sums(void **state)
{
    (void)state;
    static float x[LENGTH_MOST];
    seed_random(2);
    for (size_t round = 0; round < 5000; round++) {
        const size_t n = some_length(round / COUNT_OF(fills));
        fills[round % COUNT_OF(fills)](&FORMAT_BINARY32, x, n);
        struct exact_sum exact = sum_of(x, n);
        struct opinion opinion = opinion_of(x, n);
        if (mpz_sgn(opinion.sum) != 0) {
            const int last = (int)mpz_sizeinbase(opinion.sum, 2) - 24; /* bits below a significand of 24 */
            assert_true(exact.condition == quotient_of(opinion.sum_abs, opinion.sum));
            assert_true(exact.ulp == ldexp(1, (last > 0 ? last : 0) - 149));
        }
        assert_true(mpfr_cmpabs(exact.sum, exact.sum_abs) <= 0);
        assert_true(mpfr_cmp_d(exact.sum_abs, exact.sum_abs_above) <= 0);
        mpfr_abs(exact.sum, exact.sum, MPFR_RNDN);
        assert_true(mpfr_cmp_d(exact.sum, exact.abs_above) <= 0);
        if (mpfr_sgn(exact.sum) != 0) { /* and no larger than they have to be */
            assert_true(mpfr_cmp_d(exact.sum, nextafter(exact.abs_above, 0)) > 0);
            assert_true(mpfr_cmp_d(exact.sum_abs, nextafter(exact.sum_abs_above, 0)) > 0);
        }
        exact_free(&exact);
        opinion_free(&opinion);
    }
}

/* {1, -1, 2^-k} has the condition 2^(k+1) + 1: binary64 data leave its range where s is not 0. */
static void condition_beyond_binary64_is_infinite(void **state)
{
    (void)state;
    for (int k = 1020; k <= 1074; k++) {
        const double x[] = {1, ldexp(1, -k), -1};
        struct exact_sum exact;
        assert_int_equal(exact_sum(&FORMAT_BINARY64, x, COUNT_OF(x), &exact), OK);
        assert_true(exact.condition == (k < 1023 ? ldexp(1, k + 1) : INFINITY));
        assert_true(exact.nearest == x[1]);
        exact_free(&exact);
    }
}

static void every_order_of_the_data_gives_the_same_sum(void **state)
{
    (void)state;
    static float x[LENGTH_MOST];
    seed_random(3);
    for (size_t round = 0; round < 900; round++) {
        const size_t n = 2 + some_length(round / COUNT_OF(fills)) % 1000;
        fills[round % COUNT_OF(fills)](&FORMAT_BINARY32, x, n);
        struct exact_sum before = sum_of(x, n);
        shuffle(&FORMAT_BINARY32, x, n);
        struct exact_sum after = sum_of(x, n);
        assert_true(mpfr_equal_p(before.sum, after.sum) && mpfr_equal_p(before.sum_abs, after.sum_abs));
        assert_int_equal(double_bits(before.nearest), double_bits(after.nearest));
        assert_int_equal(double_bits(before.condition), double_bits(after.condition));
        exact_free(&before);
        exact_free(&after);
    }
}

/* {MAX, MAX, tiny, -MAX, -MAX} is where fixed widths of 2098 or 2100 bits give 0 (docs/metrics.md). */
static void binary64_sum_keeps_the_least_subnormal_beside_the_largest_numbers(void **state)
{
    (void)state;
    const double x[] = {DBL_MAX, DBL_MAX, 0x1p-1074, -DBL_MAX, -DBL_MAX};
    struct exact_sum exact;
    assert_int_equal(exact_sum(&FORMAT_BINARY64, x, COUNT_OF(x), &exact), OK);
    assert_int_equal(exact.kind, EXACT_FINITE);
    assert_true(mpfr_cmp_d(exact.sum, 0x1p-1074) == 0);
    assert_true(exact.nearest == 0x1p-1074 && exact.ulp == 0x1p-1074);
    assert_int_equal(exact.subnormals, 1);
    exact_free(&exact);
}

/* ---- data that repeat ---- */

/* Every number of the two is the same. */
static bool same_exact_sum(const struct exact_sum *a, const struct exact_sum *b)
{
    const bool sums = mpfr_nan_p(a->sum) ? mpfr_nan_p(b->sum) : mpfr_equal_p(a->sum, b->sum);
    const bool counts = a->nans == b->nans && a->positive_infinities == b->positive_infinities &&
                        a->negative_infinities == b->negative_infinities && a->negative_zeros == b->negative_zeros &&
                        a->subnormals == b->subnormals;
    return a->n == b->n && a->kind == b->kind && sums && counts && mpfr_equal_p(a->sum_abs, b->sum_abs) &&
           mpfr_signbit(a->sum) == mpfr_signbit(b->sum) && same_double(a->condition, b->condition) &&
           same_double(a->nearest, b->nearest) && same_double(a->ulp, b->ulp) &&
           same_double(a->abs_above, b->abs_above) && same_double(a->sum_abs_above, b->sum_abs_above) &&
           same_double(a->max_abs, b->max_abs);
}

/* Whether x[0..period) repeated to length n has the sum of x[0..other_period) written out to that length. */
static bool repeats_as(const float *x, size_t period, size_t other_period, size_t n)
{
    static float written[LENGTH_MOST];
    struct exact_sum repeated, direct;
    for (size_t i = 0; i < n; i++)
        written[i] = x[i % other_period];
    assert_int_equal(exact_sum_repeated(&FORMAT_BINARY32, x, period, n, &repeated), OK);
    direct = sum_of(written, n);
    const bool same = same_exact_sum(&repeated, &direct);
    exact_free(&repeated);
    exact_free(&direct);
    return same;
}

static void repeated_sum_is_the_sum_of_the_data_written_out(void **state)
{
    (void)state;
    static float x[LENGTH_MOST];
    seed_random(5);
    for (size_t round = 0; round < 9000; round++) {
        const size_t period = 1 + some_length(round / COUNT_OF(fills)) % 500;
        fills[round % COUNT_OF(fills)](&FORMAT_BINARY32, x, period);
        assert_true(repeats_as(x, period, period, below(round % 4 == 0 ? LENGTH_MOST : 2 * period + 1)));
    }
}

static void repeated_specials_count_once_each_time(void **state)
{
    (void)state;
    const float x[] = {1, -0.0f, INFINITY, 0x1p-149f, NAN, -INFINITY, -FLT_MAX};
    for (size_t period = 1; period <= COUNT_OF(x); period++)
        for (size_t n = 0; n < 30; n++)
            assert_true(repeats_as(x, period, period, n));
}

/* The twin: another period is another sum, but where no element of the second period is used. */
static void repeated_sum_of_another_period_is_another_sum(void **state)
{
    (void)state;
    const float x[] = {1, 2, 4, 8, 16};
    assert_true(repeats_as(x, 4, 5, 4));
    for (size_t n = 5; n < 100; n++)
        assert_false(repeats_as(x, 4, 5, n));
}

static void repeated_sum_reaches_lengths_that_no_memory_holds(void **state)
{
    (void)state;
    const float x[] = {1, 0x1p-149f, -FLT_MAX, FLT_MAX, 2};
    const uint64_t times = UINT64_C(1) << 59;
    struct exact_sum exact;
    mpfr_t expected;
    mpfr_init2(expected, 400);
    mpfr_set_ui_2exp(expected, 1, -149, MPFR_RNDN);
    mpfr_add_ui(expected, expected, 3, MPFR_RNDN);
    mpfr_mul_ui(expected, expected, times, MPFR_RNDN);
    mpfr_add_ui(expected, expected, 1, MPFR_RNDN);
    assert_int_equal(exact_sum_repeated(&FORMAT_BINARY32, x, COUNT_OF(x), COUNT_OF(x) * times + 1, &exact), OK);
    assert_true(mpfr_equal_p(exact.sum, expected));
    assert_int_equal(exact.subnormals, times);
    mpfr_clear(expected);
    exact_free(&exact);
}

/* ---- precision ---- */

static void precision_is_277_and_ceil_log2_n(void **state)
{
    (void)state;
    assert_int_equal(exact_precision(&FORMAT_BINARY32, 0), 277);
    assert_int_equal(exact_precision(&FORMAT_BINARY32, 1), 277);
    assert_int_equal(exact_precision(&FORMAT_BINARY32, 2), 278);
    assert_int_equal(exact_precision(&FORMAT_BINARY32, 3), 279);
    assert_int_equal(exact_precision(&FORMAT_BINARY32, 4), 279);
    for (int k = 2; k < 64; k++) {
        assert_int_equal(exact_precision(&FORMAT_BINARY32, (UINT64_C(1) << k) - 1), 277 + k);
        assert_int_equal(exact_precision(&FORMAT_BINARY32, UINT64_C(1) << k), 277 + k);
        assert_int_equal(exact_precision(&FORMAT_BINARY32, (UINT64_C(1) << k) + 1), 277 + k + 1);
    }
    assert_int_equal(exact_precision(&FORMAT_BINARY32, UINT64_MAX), 277 + 64);
    assert_int_equal(exact_precision(&FORMAT_BINARY64, 1), 2098);
    assert_int_equal(exact_precision(&FORMAT_BINARY64, 5), 2101);
}

/* ---- zeros, infinities, NaN ---- */

static void sum_of_nothing_is_plus_zero(void **state)
{
    (void)state;
    struct exact_sum exact = sum_of(NULL, 0);
    assert_int_equal(exact.kind, EXACT_FINITE);
    assert_true(mpfr_zero_p(exact.sum) && !mpfr_signbit(exact.sum));
    assert_int_equal(double_bits(exact.nearest), 0);
    assert_true(exact.condition == 1 && exact.ulp == 0x1p-149);
    assert_true(exact.abs_above == 0 && exact.sum_abs_above == 0);
    exact_free(&exact);
}

static void zero_is_negative_only_where_all_the_data_are(void **state)
{
    (void)state;
    const struct {
        const float *x;
        size_t n;
        double condition, nearest;
    } zeros[] = {
        {TERMS(-0.0f), 1, -0.0},
        {TERMS(-0.0f, -0.0f), 1, -0.0},
        {TERMS(0, -0.0f), 1, 0},
        {TERMS(-0.0f, 0), 1, 0},
        {TERMS(1, -1), INFINITY, 0},
        {TERMS(-FLT_MAX, FLT_MAX), INFINITY, 0},
        {TERMS(0x1p-149f, -0x1p-149f, -0.0f), INFINITY, 0},
    };
    for (size_t i = 0; i < COUNT_OF(zeros); i++) {
        struct exact_sum exact = sum_of(zeros[i].x, zeros[i].n);
        assert_true(mpfr_zero_p(exact.sum) && !mpfr_signbit(exact.sum) == !signbit(zeros[i].nearest));
        assert_int_equal(double_bits(exact.nearest), double_bits(zeros[i].nearest));
        assert_true(exact.condition == zeros[i].condition && exact.ulp == 0x1p-149);
        exact_free(&exact);
    }
}

static void infinities_and_nan_follow_ieee(void **state)
{
    (void)state;
    const struct {
        const float *x;
        size_t n;
        enum exact_kind kind;
        double nearest; /* when it is an infinity */
    } specials[] = {
        {TERMS(1, INFINITY), EXACT_INF, INFINITY},
        {TERMS(-INFINITY, FLT_MAX, FLT_MAX), EXACT_INF, -INFINITY},
        {TERMS(INFINITY, INFINITY), EXACT_INF, INFINITY},
        {TERMS(INFINITY, 1, -INFINITY), EXACT_NAN, NAN},
        {TERMS(NAN), EXACT_NAN, NAN},
        {TERMS(NAN, INFINITY), EXACT_NAN, NAN},
    };
    for (size_t i = 0; i < COUNT_OF(specials); i++) {
        struct exact_sum exact = sum_of(specials[i].x, specials[i].n);
        assert_int_equal(exact.kind, specials[i].kind);
        assert_true(exact.kind == EXACT_NAN ? isnan(exact.nearest) && mpfr_nan_p(exact.sum)
                                            : exact.nearest == specials[i].nearest && mpfr_inf_p(exact.sum));
        assert_true(isnan(exact.condition) && isnan(exact.ulp) && isnan(exact.sum_abs_above));
        exact_free(&exact);
    }
}

static void special_numbers_are_counted(void **state)
{
    (void)state;
    struct exact_sum exact = sum_of(TERMS(NAN, -NAN, INFINITY, -INFINITY, -INFINITY, -INFINITY, -0.0f, -0.0f, -0.0f,
                                          -0.0f, 0, 0x1p-149f, -0x1p-127f, 0x1.fffffcp-127f, 0x1p-126f, 1));
    assert_int_equal(exact.nans, 2);
    assert_int_equal(exact.positive_infinities, 1);
    assert_int_equal(exact.negative_infinities, 3);
    assert_int_equal(exact.negative_zeros, 4);
    assert_int_equal(exact.subnormals, 3);
    assert_true(mpfr_cmp_d(exact.sum_abs, 1) > 0 && mpfr_cmp_d(exact.sum_abs, 1.5) < 0); /* of the finite ones */
    exact_free(&exact);
}

/* ---- rounding ---- */

static void sum_is_rounded_to_nearest_even(void **state)
{
    (void)state;
    const struct {
        const float *x;
        size_t n;
        double nearest;
    } known[] = {
        {TERMS(1, 0x1p-24f), 1},                        /* a tie, 1 is even */
        {TERMS(0x1.000002p0f, 0x1p-24f), 0x1.000004p0}, /* a tie, up to even */
        {TERMS(1, 0x1p-24f, 0x1p-149f), 0x1.000002p0},  /* above a tie */
        {TERMS(0x1.000002p0f, 0x1p-24f, -0x1p-149f), 0x1.000002p0},
        {TERMS(-1, -0x1p-24f, -0x1p-149f), -0x1.000002p0},
        {TERMS(1, -0x1p-25f), 1}, /* a tie below a power of two */
        {TERMS(1, -0x1p-25f, -0x1p-149f), 0x1.fffffep-1},
        {TERMS(FLT_MAX, 0x1p103f), INFINITY}, /* the overflow threshold is a tie, too */
        {TERMS(FLT_MAX, 0x1p103f, -0x1p-149f), (double)FLT_MAX},
        {TERMS(-FLT_MAX, -0x1p103f), -INFINITY},
        {TERMS(-FLT_MAX, -0x1p103f, 0x1p-149f), -(double)FLT_MAX},
        {TERMS(FLT_MAX, FLT_MAX, -FLT_MAX), (double)FLT_MAX},
        {TERMS(0x1p-126f, -0x1p-149f), 0x1.fffffcp-127}, /* the largest subnormal */
        {TERMS(0x1p-149f, 0x1p-149f), 0x1p-148},
        {TERMS(1, 0x1p-149f, -1), 0x1p-149},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        struct exact_sum exact = sum_of(known[i].x, known[i].n);
        struct opinion opinion = opinion_of(known[i].x, known[i].n);
        if (exact.nearest != known[i].nearest)
            fail_msg("row %zu: %a, expected %a", i, exact.nearest, known[i].nearest);
        assert_int_equal(fixed_nearest_bits(&FORMAT_BINARY32, opinion.sum, &FORMAT_BINARY32),
                         float_bits((float)known[i].nearest));
        exact_free(&exact);
        opinion_free(&opinion);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_sum_equals_the_integer_sum_in_every_bit),
        cmocka_unit_test(comparison_of_sums_sees_a_difference_in_the_last_bit),
        cmocka_unit_test(condition_ulp_and_upper_bounds_follow_from_the_integer_sums),
        cmocka_unit_test(condition_beyond_binary64_is_infinite),
        cmocka_unit_test(every_order_of_the_data_gives_the_same_sum),
        cmocka_unit_test(binary64_sum_keeps_the_least_subnormal_beside_the_largest_numbers),
        cmocka_unit_test(repeated_sum_is_the_sum_of_the_data_written_out),
        cmocka_unit_test(repeated_specials_count_once_each_time),
        cmocka_unit_test(repeated_sum_of_another_period_is_another_sum),
        cmocka_unit_test(repeated_sum_reaches_lengths_that_no_memory_holds),
        cmocka_unit_test(precision_is_277_and_ceil_log2_n),
        cmocka_unit_test(sum_of_nothing_is_plus_zero),
        cmocka_unit_test(zero_is_negative_only_where_all_the_data_are),
        cmocka_unit_test(infinities_and_nan_follow_ieee),
        cmocka_unit_test(special_numbers_are_counted),
        cmocka_unit_test(sum_is_rounded_to_nearest_even),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
