/* Metrics against a second computation in GMP's rationals, rounded up once; histogram and statistics against a sort. */
#include "reference/statistic.h"
#include "src/measure/histogram.h"
#include "src/measure/metric.h"
#include "src/measure/statistics.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_MOST = 64, VALUES_MOST = 1000 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TERMS(...) ((const float[]){__VA_ARGS__}), COUNT_OF(((const float[]){__VA_ARGS__}))

/* ---- judging ---- */

static struct exact_sum sum_of(const float *x, size_t n)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &exact), OK);
    return exact;
}

struct verdict {
    double metrics[METRICS];
    enum result_class class;
};

/* Takes the sum. */
static struct verdict judge_sum(struct exact_sum exact, double computed, double bound)
{
    const struct judged judged = {.exact = &exact, .computed = computed, .bound = bound};
    struct verdict verdict = {.class = classify(&exact, exact.format, computed)};
    for (int m = 0; m < METRICS; m++)
        verdict.metrics[m] = metric_table[m].measure(&judged);
    exact_free(&exact);
    return verdict;
}

static struct verdict judge(const float *x, size_t n, double computed, double bound)
{
    return judge_sum(sum_of(x, n), computed, bound);
}

static struct verdict judge_binary64(const double x[2], double computed)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(&FORMAT_BINARY64, x, 2, &exact), OK);
    return judge_sum(exact, computed, INFINITY);
}

/* Those that this test computes a second time; a new row of metrics.def brings its own test. */
static const enum metric named[] = {METRIC_abs_error, METRIC_relative_error, METRIC_ulp_error, METRIC_backward_error,
                                    METRIC_bound_ratio};

static void assert_verdict(struct verdict verdict, enum result_class class, const double expected[METRICS])
{
    assert_string_equal(class_names[verdict.class], class_names[class]);
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        const enum metric m = named[i];
        if (!same_double(verdict.metrics[m], expected[m]))
            fail_msg("%s is %a (%g), expected %a", metric_table[m].id, verdict.metrics[m], verdict.metrics[m],
                     expected[m]);
    }
}

/* One metric a column. */
#define EXPECT(abs_error, relative_error, ulp_error, backward_error, bound_ratio)                                      \
    ((const double[METRICS]){[METRIC_abs_error] = (abs_error),                                                         \
                             [METRIC_relative_error] = (relative_error),                                               \
                             [METRIC_ulp_error] = (ulp_error),                                                         \
                             [METRIC_backward_error] = (backward_error),                                               \
                             [METRIC_bound_ratio] = (bound_ratio)})

/* ---- the second computation ---- */

static double rounded_double(const mpq_t q, mpfr_rnd_t direction)
{
    mpfr_t rounded;
    mpfr_init2(rounded, 53);
    mpfr_set_q(rounded, q, direction);
    const double value = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    return value;
}

struct rational_sums {
    mpq_t sum, sum_abs, ulp;
};

/* 2^k with 2^k <= |q| < 2^(k+1). */
static long binade_of(const mpq_t q)
{
    mpq_t magnitude, power;
    mpq_inits(magnitude, power, (mpq_ptr)0);
    mpq_abs(magnitude, q);
    long k = (long)mpz_sizeinbase(mpq_numref(magnitude), 2) - (long)mpz_sizeinbase(mpq_denref(magnitude), 2);
    mpq_set_ui(power, 1, 1);
    if (k >= 0)
        mpq_mul_2exp(power, power, (mp_bitcnt_t)k);
    else
        mpq_div_2exp(power, power, (mp_bitcnt_t)-k);
    if (mpq_cmp(magnitude, power) < 0)
        k--;
    mpq_clears(magnitude, power, (mpq_ptr)0);
    return k;
}

static struct rational_sums rational_sums_of(const float *x, size_t n)
{
    struct rational_sums sums;
    mpq_t term;
    mpq_inits(sums.sum, sums.sum_abs, sums.ulp, term, (mpq_ptr)0);
    for (size_t i = 0; i < n; i++) {
        mpq_set_d(term, (double)x[i]);
        mpq_add(sums.sum, sums.sum, term);
        mpq_abs(term, term);
        mpq_add(sums.sum_abs, sums.sum_abs, term);
    }
    const long last = mpq_sgn(sums.sum) == 0 ? -149 : binade_of(sums.sum) - 23;
    mpq_set_d(sums.ulp, ldexp(1, last > -149 ? (int)last : -149));
    mpq_clear(term);
    return sums;
}

static void rational_sums_free(struct rational_sums *sums)
{
    mpq_clears(sums->sum, sums->sum_abs, sums->ulp, (mpq_ptr)0);
}

static double error_over(const struct rational_sums *sums, double computed, const mpq_t denominator)
{
    mpq_t error;
    mpq_init(error);
    mpq_set_d(error, computed);
    mpq_sub(error, error, sums->sum);
    mpq_abs(error, error);
    double value = 0;
    if (mpq_sgn(error) != 0 && mpq_sgn(denominator) == 0) {
        value = NAN;
    } else if (mpq_sgn(error) != 0) {
        mpq_div(error, error, denominator);
        mpq_abs(error, error);
        value = rounded_double(error, MPFR_RNDU);
    }
    mpq_clear(error);
    return value;
}

/* Data of every kind, and a result that is nearest, near, far, or has nothing to do with it. */
static size_t fill_case(float x[LENGTH_MOST], uint64_t kind)
{
    const size_t n = below(kind % 2 ? 5 : LENGTH_MOST) + 1;
    const int exponent = (int)below(200) - 120;
    for (size_t i = 0; i < n; i++) {
        x[i] = any_float();
        if (kind % 5 == 1)
            x[i] = ldexpf((float)below(1 << 24), exponent) * (below(2) ? 1.0f : -1.0f);
        if (kind % 5 == 2 && i % 2 == 1)
            x[i] = -x[i - 1];
        if (kind % 5 == 3)
            x[i] = float_from_bits((uint32_t)(next_random() & 0x80000007)); /* the least subnormals */
    }
    return n;
}

static double some_result(double nearest)
{
    const uint64_t kind = below(6);
    const float start = isfinite(nearest) ? (float)nearest : FLT_MAX;
    if (kind == 0)
        return (double)any_float();
    if (kind == 1)
        return 0;
    float result = start;
    for (uint64_t steps = kind == 2 ? 0 : below(5); steps > 0; steps--)
        result = nextafterf(result, kind == 3 ? FLT_MAX : -FLT_MAX);
    return kind == 5 ? -(double)result : (double)result;
}

static void every_metric_is_the_rational_rounded_up_once(void **state)
{
    (void)state;
    float x[LENGTH_MOST];
    mpq_t one, bound;
    mpq_inits(one, bound, (mpq_ptr)0);
    mpq_set_ui(one, 1, 1);
    seed_random(1);
    size_t classes[CLASSES] = {0}, no_claims = 0;
    for (uint64_t round = 0; round < 40000; round++) {
        const size_t n = fill_case(x, round);
        struct exact_sum exact = sum_of(x, n);
        struct rational_sums sums = rational_sums_of(x, n);
        const double computed = some_result(exact.nearest), claimed = ldexp(1 + (double)below(1000), -50);
        mpq_set_d(bound, claimed);
        const double quotient = error_over(&sums, computed, bound);
        const bool claims = mpq_cmp(bound, sums.sum_abs) <= 0 || quotient > 1;
        const double ratio = claims ? quotient : (double)NAN;
        no_claims += !claims;
        const double expected[METRICS] = {
            [METRIC_abs_error] = error_over(&sums, computed, one),
            [METRIC_relative_error] = error_over(&sums, computed, sums.sum),
            [METRIC_ulp_error] = error_over(&sums, computed, sums.ulp),
            [METRIC_backward_error] = error_over(&sums, computed, sums.sum_abs),
            [METRIC_bound_ratio] = ratio,
        };
        const bool equal = expected[METRIC_abs_error] == 0;
        const enum result_class class = equal ? CLASS_EXACT : mpq_sgn(sums.sum) == 0 ? CLASS_ZERO_SUM : CLASS_FINITE;
        assert_verdict(judge(x, n, computed, claimed), class, expected);
        classes[class]++;
        rational_sums_free(&sums);
        exact_free(&exact);
    }
    mpq_clears(one, bound, (mpq_ptr)0);
    assert_true(classes[CLASS_EXACT] > 1000 && classes[CLASS_ZERO_SUM] > 1000 && classes[CLASS_FINITE] > 10000);
    assert_true(no_claims > 1000 && no_claims < 39000);
}

/* The twin: the next binary64 is another number, and so are the two zeros. */
static void comparison_of_metrics_sees_the_last_bit(void **state)
{
    (void)state;
    assert_false(same_double(0x1p-24, nextafter(0x1p-24, 1)));
    assert_false(same_double(0, -0.0));
    assert_false(same_double(NAN, 0));
    assert_true(same_double(NAN, -NAN));
}

static void the_five_metrics_of_the_contract_are_there(void **state)
{
    (void)state;
    assert_true(METRICS >= COUNT_OF(named));
    assert_string_equal(metric_table[METRIC_abs_error].id, "abs_error");
    assert_string_equal(metric_table[METRIC_relative_error].id, "relative_error");
    assert_string_equal(metric_table[METRIC_ulp_error].id, "ulp_error");
    assert_string_equal(metric_table[METRIC_backward_error].id, "backward_error");
    assert_string_equal(metric_table[METRIC_bound_ratio].id, "bound_ratio");
}

/* ---- definitions ---- */

static void exact_result_has_no_error_of_any_kind(void **state)
{
    (void)state;
    const double none[METRICS] = {0};
    assert_verdict(judge(TERMS(1, 2), 3, 1), CLASS_EXACT, none);
    assert_verdict(judge(TERMS(1, -1), 0, 0), CLASS_EXACT, none); /* 0/0 is 0 where both are 0 */
    assert_verdict(judge(TERMS(1, -1), -0.0, 0), CLASS_EXACT, none);
    assert_verdict(judge(NULL, 0, 0, 0), CLASS_EXACT, none);
    assert_verdict(judge(TERMS(-0.0f), -0.0, 0), CLASS_EXACT, none);
}

static void nearest_result_of_a_sum_that_does_not_fit_has_an_error(void **state)
{
    (void)state;
    /* s = 1 + 2^-24: half an ulp */
    assert_verdict(judge(TERMS(1, 0x1p-24f), 1, 0x1p-24), CLASS_FINITE,
                   EXPECT(0x1p-24, 0x1.fffffe000002p-25, 0.5, 0x1.fffffe000002p-25, 1));
}

static void relative_error_is_undefined_where_only_the_sum_is_zero(void **state)
{
    (void)state;
    assert_verdict(judge(TERMS(3, -3), 0x1p-149, 0x1p-148), CLASS_ZERO_SUM,
                   EXPECT(0x1p-149, NAN, 1, 0x1.5555555555556p-152, 0.5));
    /* nothing at all, and a result: not even a backward error */
    assert_verdict(judge(NULL, 0, 1, 2), CLASS_ZERO_SUM, EXPECT(1, NAN, 0x1p149, NAN, NAN));
}

static void zero_for_a_sum_that_is_not_zero_is_wrong_by_one(void **state)
{
    (void)state;
    assert_verdict(judge(TERMS(-0x1p-149f), 0, 0x1p-149), CLASS_FINITE, EXPECT(0x1p-149, 1, 1, 1, 1));
}

/* Each quotient has 53 bits and a rest; both neighbours of it are binary64 numbers. */
static void errors_are_never_below_the_true_ones(void **state)
{
    (void)state;
    const double third_above = 0x1.5555555555556p-2, three_fifths_above = 0x1.3333333333334p-1;
    assert_verdict(judge(TERMS(3), 2, 3), CLASS_FINITE, EXPECT(1, third_above, 0x1p22, third_above, third_above));
    assert_verdict(judge(TERMS(-3), -2, 3), CLASS_FINITE, EXPECT(1, third_above, 0x1p22, third_above, third_above));
    assert_verdict(judge(TERMS(4, 1), 2, 5), CLASS_FINITE,
                   EXPECT(3, three_fifths_above, 3 * 0x1p21, three_fifths_above, three_fifths_above));
}

static void error_just_above_half_an_ulp_is_not_printed_as_half(void **state)
{
    (void)state;
    const struct verdict verdict = judge(TERMS(1, 0x1p-24f, 0x1p-100f), 1, 1);
    assert_true(verdict.metrics[METRIC_ulp_error] == nextafter(0.5, 1));
    assert_true(verdict.metrics[METRIC_abs_error] == nextafter(0x1p-24, 1));
}

/* 2^-1074 beside 2^1000: every quotient is below 2^-1074, and none of them is 0. */
static void error_of_an_inexact_sum_is_never_zero(void **state)
{
    (void)state;
    const double far[] = {0x1p1000, 0x1p-1074}, near[] = {0x1p60, 3 * 0x1p-1000};
    assert_verdict(judge_binary64(far, 0x1p1000), CLASS_FINITE,
                   EXPECT(0x1p-1074, 0x1p-1074, 0x1p-1074, 0x1p-1074, NAN));
    assert_verdict(judge_binary64(far, 0x1.0000000000001p1000), CLASS_FINITE,
                   EXPECT(0x1p948, 0x1p-52, 1, 0x1p-52, NAN)); /* the twin: 2^948 - 2^-1074, rounded up */
    assert_verdict(judge_binary64(near, 0x1p60), CLASS_FINITE, /* a subnormal quotient is rounded up as well */
                   EXPECT(3 * 0x1p-1000, 3 * 0x1p-1060, 3 * 0x1p-1008, 3 * 0x1p-1060, NAN));
}

/* 2^1036, whose spacing in bfloat16 is 2^1029: 0 is 2^7 of them away. */
static void spacing_that_binary64_lacks_is_that_of_the_sum(void **state)
{
    (void)state;
    static double x[1 << 14];
    struct exact_sum exact;
    for (size_t i = 0; i < COUNT_OF(x); i++)
        x[i] = 0x1p1023;
    for (size_t n = COUNT_OF(x) / 2; n <= COUNT_OF(x); n *= 2) { /* 2^1036 and 2^1037 */
        assert_int_equal(exact_sum(&FORMAT_BINARY64, x, n, &exact), OK);
        exact.format = &FORMAT_BFLOAT16;
        assert_true(judge_sum(exact, 0, INFINITY).metrics[METRIC_ulp_error] == 0x1p7);
    }
}

/* binary64's sum of these is infinite, and theirs is not. */
static void infinity_for_a_finite_sum_beyond_binary64_has_no_error(void **state)
{
    (void)state;
    const double x[] = {0x1p1023, 0x1p1023};
    assert_verdict(judge_binary64(x, INFINITY), CLASS_OUT_OF_RANGE, EXPECT(0, 0, 0, 0, NAN));
    assert_verdict(judge_binary64(x, -INFINITY), CLASS_OVERFLOW, EXPECT(INFINITY, INFINITY, INFINITY, INFINITY, NAN));
    assert_verdict(judge_binary64(x, 0x1p1023), CLASS_FINITE, EXPECT(0x1p1023, 0.5, 0x1p51, 0.5, NAN));
}

/* Below 2^-1022 binary64 has fewer bits: 5 * 2^-1074 / 3 is 2^-1073, or 1.67 of the least subnormals. */
static void subnormal_error_is_rounded_up(void **state)
{
    (void)state;
    assert_verdict(judge_binary64((const double[]){3, 5 * 0x1p-1074}, 3), CLASS_FINITE,
                   EXPECT(5 * 0x1p-1074, 0x1p-1073, 5 * 0x1p-1023, 0x1p-1073, NAN));
    assert_verdict(judge_binary64((const double[]){3, 4 * 0x1p-1074}, 3), CLASS_FINITE,
                   EXPECT(4 * 0x1p-1074, 0x1p-1073, 4 * 0x1p-1023, 0x1p-1073, NAN));
}

static void nan_for_a_sum_is_nan_in_every_error(void **state)
{
    (void)state;
    assert_verdict(judge(TERMS(NAN, 2), 1, INFINITY), CLASS_NAN, EXPECT(NAN, NAN, NAN, NAN, NAN));
    assert_verdict(judge(TERMS(INFINITY, -INFINITY), NAN, INFINITY), CLASS_NAN, EXPECT(NAN, NAN, NAN, NAN, NAN));
    assert_verdict(judge(TERMS(INFINITY), NAN, INFINITY), CLASS_NAN, EXPECT(NAN, NAN, NAN, NAN, NAN));
}

static void nan_for_a_sum_breaks_every_bound_that_is_claimed(void **state)
{
    (void)state;
    assert_verdict(judge(TERMS(1, 2), NAN, 1), CLASS_NAN, EXPECT(NAN, NAN, NAN, NAN, INFINITY));
    assert_verdict(judge(TERMS(1, 2), NAN, DBL_MAX), CLASS_NAN, EXPECT(NAN, NAN, NAN, NAN, INFINITY));
}

static void infinity_for_a_finite_sum_is_an_overflow(void **state)
{
    (void)state;
    assert_verdict(judge(TERMS(1, 2), -INFINITY, 1), CLASS_OVERFLOW,
                   EXPECT(INFINITY, INFINITY, INFINITY, INFINITY, INFINITY));
    assert_verdict(judge(TERMS(FLT_MAX, FLT_MAX), INFINITY, INFINITY), CLASS_OUT_OF_RANGE, EXPECT(0, 0, 0, 0, NAN));
    assert_verdict(judge(TERMS(FLT_MAX, FLT_MAX), -INFINITY, INFINITY), CLASS_OVERFLOW,
                   EXPECT(INFINITY, INFINITY, INFINITY, INFINITY, NAN));
}

/* Of 1, 2, 4; of three 0.1; of the sum of the first. */
static void a_negative_variance_is_a_class_of_its_own(void **state)
{
    (void)state;
    static const float x[] = {1, 2, 4}, alike[] = {0.1f, 0.1f, 0.1f};
    static const struct row {
        const float *x;
        int of; /* -1: the sum */
        double computed;
        enum result_class class;
    } rows[] = {{x, EXACT_VARIANCE, -0.1, CLASS_NEGATIVE},
                {x, EXACT_VARIANCE, -0x1p-149, CLASS_NEGATIVE},
                {x, EXACT_VARIANCE, -0.0, CLASS_FINITE},
                {x, EXACT_VARIANCE, 0.1, CLASS_FINITE},
                {x, EXACT_VARIANCE, -INFINITY, CLASS_OVERFLOW},
                {x, EXACT_VARIANCE, NAN, CLASS_NAN},
                {x, EXACT_MEAN, -0.1, CLASS_FINITE},
                {x, EXACT_MEAN_SQUARE, -0.1, CLASS_FINITE},
                {alike, EXACT_VARIANCE, -0.1, CLASS_ZERO_SUM},
                {x, -1, -0.1, CLASS_FINITE}};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct exact_sum exact;
        if (rows[r].of < 0)
            exact = sum_of(rows[r].x, 3);
        else
            assert_int_equal(exact_statistic((enum exact_statistic)rows[r].of, 0, &FORMAT_BINARY32,
                                             (struct exact_how){0}, rows[r].x, NULL, 3, &exact, &exact.moments),
                             OK);
        const struct verdict verdict = judge_sum(exact, rows[r].computed, INFINITY);
        if (verdict.class != rows[r].class)
            fail_msg("row %zu is %s", r, class_names[verdict.class]);
        assert_true(verdict.class != CLASS_NEGATIVE || verdict.metrics[METRIC_relative_error] > 1);
    }
}

static void result_of_infinite_data_is_a_class_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(judge(TERMS(INFINITY, 1), INFINITY, INFINITY).class, CLASS_INF);
    assert_int_equal(judge(TERMS(INFINITY, 1), -INFINITY, INFINITY).class, CLASS_INF);
    assert_int_equal(judge(TERMS(INFINITY, 1), 1, INFINITY).class, CLASS_INF);
}

static void same_infinity_as_the_sum_is_no_error(void **state)
{
    (void)state;
    assert_verdict(judge(TERMS(INFINITY, 1), INFINITY, INFINITY), CLASS_INF, EXPECT(0, 0, 0, 0, NAN));
    assert_verdict(judge(TERMS(1, -INFINITY), -INFINITY, INFINITY), CLASS_INF, EXPECT(0, 0, 0, 0, NAN));
}

static void another_value_than_an_infinite_sum_is_infinitely_wrong(void **state)
{
    (void)state;
    const double *infinite = EXPECT(INFINITY, INFINITY, INFINITY, INFINITY, NAN);
    assert_verdict(judge(TERMS(INFINITY, 1), -INFINITY, INFINITY), CLASS_INF, infinite);
    assert_verdict(judge(TERMS(INFINITY, 1), 1, INFINITY), CLASS_INF, infinite);
}

static void sum_beyond_the_range_is_judged_by_its_own_ulp(void **state)
{
    (void)state;
    /* s = 2 FLT_MAX = 2^129 - 2^105 lies in [2^128, 2^129): ulp 2^105 */
    assert_verdict(judge(TERMS(FLT_MAX, FLT_MAX), (double)FLT_MAX, INFINITY), CLASS_FINITE,
                   EXPECT((double)FLT_MAX, 0.5, (double)FLT_MAX / 0x1p105, 0.5, NAN));
}

static void power_of_two_has_the_ulp_of_its_upper_side(void **state)
{
    (void)state;
    const float below = nextafterf(1, 0);
    assert_true(judge(TERMS(1), (double)below, 1).metrics[METRIC_ulp_error] == 0.5);
    assert_true(judge(TERMS(1), (double)nextafterf(1, 2), 1).metrics[METRIC_ulp_error] == 1);
    assert_true(judge(TERMS(below), 1, 1).metrics[METRIC_ulp_error] == 1);
}

static void ulp_of_zero_is_least_subnormal(void **state)
{
    (void)state;
    assert_true(judge(TERMS(5, -5), 0x1p-149, 1).metrics[METRIC_ulp_error] == 1);
    assert_true(judge(TERMS(5, -5), -0x1p-126, 1).metrics[METRIC_ulp_error] == 0x1p23);
}

static void bound_of_zero_is_broken_by_every_error(void **state)
{
    (void)state;
    assert_true(judge(TERMS(1), 0x1.000002p0, 0).metrics[METRIC_bound_ratio] == INFINITY);
    assert_true(judge(TERMS(0x1p-149f), 0, 0).metrics[METRIC_bound_ratio] == INFINITY);
    assert_true(judge(TERMS(1), NAN, 0).metrics[METRIC_bound_ratio] == INFINITY);
    assert_true(judge(TERMS(1), 1, 0).metrics[METRIC_bound_ratio] == 0);
}

static void ratio_to_a_bound_of_infinity_is_undefined(void **state)
{
    (void)state;
    assert_true(isnan(judge(TERMS(1), 1, INFINITY).metrics[METRIC_bound_ratio]));
    assert_true(isnan(judge(TERMS(1), 100, INFINITY).metrics[METRIC_bound_ratio]));
    assert_true(isnan(judge(TERMS(1), NAN, INFINITY).metrics[METRIC_bound_ratio]));
    assert_true(isnan(judge(TERMS(1), INFINITY, INFINITY).metrics[METRIC_bound_ratio]));
}

/* A sum of magnitudes of 4: zeros are within a bound of 4, which is a claim still, as any result beyond it shows. */
static void a_bound_above_the_sum_of_the_magnitudes_claims_nothing_unless_it_is_broken(void **state)
{
    (void)state;
    const double above = nextafter(4, 5);
    assert_true(judge(TERMS(3, 1), 0, 4).metrics[METRIC_bound_ratio] == 1);
    assert_true(isnan(judge(TERMS(3, 1), 0, above).metrics[METRIC_bound_ratio]));
    assert_true(isnan(judge(TERMS(3, 1), 4, above).metrics[METRIC_bound_ratio]));
    assert_true(judge(TERMS(3, 1), 12, above).metrics[METRIC_bound_ratio] > 1.99);
    assert_true(judge(TERMS(3, 1), NAN, above).metrics[METRIC_bound_ratio] == INFINITY);
    const struct exact_element of = {.nearest = 4, .abs_above = 4, .sum_abs_above = 4};
    const struct judged_element element = {&of, 0, 4, 4}, no_claim = {&of, 0, above, 4}, broken = {&of, 12, above, 8};
    assert_true(metric_bound_ratio_of_element(&element) == 1);
    assert_true(isnan(metric_bound_ratio_of_element(&no_claim)));
    assert_true(metric_bound_ratio_of_element(&broken) > 1.99);
}

/* A gate is written ratio > 1: an error just above the bound has to show. */
static void bound_ratio_shows_an_error_one_part_in_2_to_the_52_above_the_bound(void **state)
{
    (void)state;
    const double error = 0x1p-23, bound = error * (1 - 0x1p-52);
    assert_true(judge(TERMS(1), 1 + error, bound).metrics[METRIC_bound_ratio] > 1);
    assert_true(judge(TERMS(1), 1 + error, error).metrics[METRIC_bound_ratio] == 1);
}

/* ---- histogram ---- */

static uint64_t *bin(struct histogram *histogram, int k)
{
    return &histogram->bin[k - HISTOGRAM_LEAST];
}

static void bin_k_starts_at_2_to_the_k_and_ends_below_the_next(void **state)
{
    (void)state;
    for (int k = HISTOGRAM_LEAST + 1; k < 0; k++) { /* the least bin holds one number, and has its own test */
        struct histogram histogram = {0};
        histogram_count(&histogram, ERROR_DEFINED, ldexp(1, k), 1);
        histogram_count(&histogram, ERROR_DEFINED, nextafter(ldexp(1, k), 1), 1);
        histogram_count(&histogram, ERROR_DEFINED, nextafter(ldexp(1, k + 1), 0), 1);
        assert_int_equal(*bin(&histogram, k), 3);
        histogram_count(&histogram, ERROR_DEFINED, ldexp(1, k + 1), 1);
        assert_int_equal(*bin(&histogram, k), 3);
        assert_int_equal(k == -1 ? histogram.no_digit : *bin(&histogram, k + 1), 1);
        assert_int_equal(histogram_total(&histogram), 4);
    }
}

static void what_is_no_relative_error_below_1_is_counted_apart(void **state)
{
    (void)state;
    struct histogram histogram = {0};
    int least, most;
    histogram_count(&histogram, ERROR_DEFINED, 0, 1);
    histogram_count(&histogram, ERROR_DEFINED, 1, 1);
    histogram_count(&histogram, ERROR_DEFINED, DBL_MAX, 1);
    histogram_count(&histogram, ERROR_DEFINED, INFINITY, 1); /* of a finite sum: too large for binary64 */
    histogram_count(&histogram, ERROR_DEFINED, NAN, 1);
    histogram_count(&histogram, ERROR_NONFINITE, 0.1, 1);
    histogram_count(&histogram, ERROR_UNDEFINED, 0.1, 1);
    histogram_count(&histogram, ERROR_UNDEFINED, NAN, 1);
    assert_int_equal(histogram.exact, 1);
    assert_int_equal(histogram.no_digit, 3);
    assert_int_equal(histogram.nonfinite, 2);
    assert_int_equal(histogram.undefined, 2);
    assert_int_equal(histogram_total(&histogram), 8);
    assert_false(histogram_range(&histogram, &least, &most));
}

static void range_of_a_histogram_is_that_of_its_bins(void **state)
{
    (void)state;
    struct histogram histogram = {0};
    int least = 0, most = 0;
    histogram_count(&histogram, ERROR_DEFINED, 0x1p-24, 1);
    assert_true(histogram_range(&histogram, &least, &most) && least == -24 && most == -24);
    histogram_count(&histogram, ERROR_DEFINED, 0x1p-1074, 1);
    histogram_count(&histogram, ERROR_DEFINED, 0.75, 1);
    assert_true(histogram_range(&histogram, &least, &most) && least == -1074 && most == -1);
}

static void counts_add_up_to_the_trials(void **state)
{
    (void)state;
    struct histogram histogram = {0};
    seed_random(2);
    for (uint64_t i = 1; i <= 100000; i++) {
        const double error = fabs(double_from_bits(next_random()));
        histogram_count(&histogram, (enum histogram_kind)below(3), error, 1);
        if (i % 1000 == 0)
            assert_int_equal(histogram_total(&histogram), i);
    }
}

/* The least and the largest relative error that a sum of binary64 has: 2^-1074 beside 2^1000, and back. */
static void no_relative_error_is_outside_the_histogram(void **state)
{
    (void)state;
    struct histogram histogram = {0};
    const double least = judge_binary64((const double[]){0x1p1000, 0x1p-1074}, 0x1p1000).metrics[METRIC_relative_error],
                 largest = judge_binary64((const double[]){0, 0x1p-1074}, 0x1p1000).metrics[METRIC_relative_error];
    histogram_count(&histogram, ERROR_DEFINED, least, 1);
    histogram_count(&histogram, ERROR_DEFINED, 0x1.8p-1073, 1); /* the twin: a bin above */
    histogram_count(&histogram, ERROR_DEFINED, largest, 1);
    assert_true(least == 0x1p-1074 && largest == INFINITY);
    assert_int_equal(*bin(&histogram, HISTOGRAM_LEAST), 1);
    assert_int_equal(*bin(&histogram, HISTOGRAM_LEAST + 1), 1);
    assert_int_equal(histogram.no_digit, 1);
    assert_int_equal(histogram_total(&histogram), 3);
}

/* ---- statistics ---- */

/* The smallest value v such that at least `percent` of the values are <= v, by looking at each. */
static double brute_quantile(const double *values, size_t count, size_t percent)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        size_t below = 0;
        for (size_t j = 0; j < count; j++)
            below += values[j] <= values[i];
        if (100 * below >= percent * count && values[i] < smallest)
            smallest = values[i];
    }
    return smallest;
}

static void quantile_is_the_smallest_value_with_enough_at_or_below_it(void **state)
{
    (void)state;
    double values[300], before[300];
    seed_random(3);
    for (size_t count = 1; count <= 300; count++) {
        for (size_t i = 0; i < count; i++)
            before[i] = values[i] = (double)below(count % 7 == 0 ? 5 : 1000000) - 1000;
        const struct statistics statistics = statistics_of(values, NULL, count);
        assert_true(statistics.p50 == brute_quantile(before, count, 50));
        assert_true(statistics.p90 == brute_quantile(before, count, 90));
        assert_true(statistics.p99 == brute_quantile(before, count, 99));
        assert_true(statistics.min == brute_quantile(before, count, 0));
        assert_true(statistics.max == brute_quantile(before, count, 100));
    }
}

/* Ranks from tables of the binomial distribution, the ends of which have 2.5 % or less beyond them; 0: too few values.
 */
static void an_interval_has_the_ranks_of_the_binomial_distribution(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        unsigned percent;
        double low, high;
    } known[] = {{5, 50, 0, 0},        {6, 50, 1, 6},    {10, 50, 2, 9},    {50, 50, 18, 33},    {100, 50, 40, 61},
                 {1000, 50, 469, 532}, {100, 99, 97, 0}, {367, 99, 359, 0}, {368, 99, 360, 368}, {1000, 99, 983, 997}};
    double values[2000];
    for (size_t i = 0; i < COUNT_OF(values); i++)
        values[i] = (double)(i + 1);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        const struct interval found = statistics_interval(values, known[i].count, 1, known[i].percent);
        if (!same_double(found.low, known[i].low > 0 ? known[i].low : (double)NAN) ||
            !same_double(found.high, known[i].high > 0 ? known[i].high : (double)NAN))
            fail_msg("%zu values, %u %%: %g to %g", known[i].count, known[i].percent, found.low, found.high);
    }
    const struct interval twice = statistics_interval(values, 200, 2, 50),
                          once = statistics_interval(values, 200, 1, 50);
    assert_true(twice.low == 79 && twice.high == 122); /* the pairs 40 and 61 */
    assert_true(once.low > twice.low && once.high < twice.high);
    values[9] = NAN;
    assert_true(isinf(statistics_interval(values, 10, 1, 99).low) == 0 &&
                isnan(statistics_interval(values, 10, 1, 99).high));
    values[8] = NAN;
    assert_true(
        isinf(statistics_interval(values, 10, 1, 50).high)); /* NaN is the largest error, not a lack of values */
}

/* The same quantiles with an infinity in the place of the NaN, which becomes NaN again; sorted in both ways. */
static size_t quantiles_that_hide_a_nan(size_t count, size_t place, const uint64_t *weights)
{
    static double values[3000], before[3000];
    seed_random(place);
    for (size_t i = 0; i < count; i++)
        before[i] = values[i] = (double)below(1000000) - 1000;
    values[place] = NAN;
    before[place] = INFINITY;
    const struct statistics with = statistics_of(values, weights, count),
                            without = statistics_of(before, weights, count);
    const double found[] = {with.min, with.p50, with.p90, with.p99, with.max},
                 expected[] = {without.min, without.p50, without.p90, without.p99, without.max};
    size_t hidden = same_double(with.mean, NAN) ? 0 : 1;
    for (size_t q = 0; q < COUNT_OF(found); q++)
        hidden += !same_double(found[q], isinf(expected[q]) ? (double)NAN : expected[q]);
    return hidden;
}

static void one_nan_counts_as_the_largest_wherever_it_stands(void **state)
{
    (void)state;
    static uint64_t once[3000];
    size_t tried = 0;
    for (size_t i = 0; i < COUNT_OF(once); i++)
        once[i] = 1;
    for (size_t count = 1; count <= 120; count++)
        for (size_t place = 0; place < count; place++, tried++)
            if (quantiles_that_hide_a_nan(count, place, NULL) > 0 || quantiles_that_hide_a_nan(count, place, once) > 0)
                fail_msg("a NaN at %zu of %zu is hidden", place, count);
    for (size_t place = 0; place < 3000; place += 2999, tried++)
        assert_int_equal(quantiles_that_hide_a_nan(3000, place, NULL), 0);
    assert_int_equal(tried, 120 * 121 / 2 + 2);
}

static void quantiles_of_1_to_100_are_their_percent(void **state)
{
    (void)state;
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = 100 - i;
    const struct statistics statistics = statistics_of(values, NULL, 100);
    assert_true(statistics.min == 1 && statistics.p50 == 50 && statistics.p90 == 90);
    assert_true(statistics.p99 == 99 && statistics.max == 100 && statistics.mean == 50.5);
}

static void nan_is_last_and_shows_in_max_and_mean(void **state)
{
    (void)state;
    double values[] = {3, NAN, 1, INFINITY, 2, -NAN, 0};
    const struct statistics statistics = statistics_of(values, NULL, COUNT_OF(values));
    assert_true(statistics.min == 0 && statistics.p50 == 3);
    assert_true(isnan(statistics.p90) && isnan(statistics.max) && isnan(statistics.mean));
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_int_equal(isnan(values[i]) != 0, i >= 5);
    double one[] = {NAN, 1};
    assert_true(statistics_of(one, NULL, 2).p50 == 1);
}

/* -0 before 0, every NaN behind all numbers. */
static int in_order(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return a != b ? (a > b) - (a < b) : (signbit(b) != 0) - (signbit(a) != 0);
}

/* Many are sorted digit by digit, few are not: 5,000 of all bits there are, and some that differ in the last one. */
static void many_values_are_sorted_to_their_last_bit(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    static double values[MANY], expected[MANY];
    seed_random(6);
    for (size_t i = 0; i < MANY; i++)
        values[i] = double_from_bits(i % 4 ? next_random() : double_bits(1) + below(4)) * (i % 50 ? 1 : 0);
    values[7] = NAN, values[8] = -NAN, values[9] = INFINITY, values[10] = -INFINITY;
    memcpy(expected, values, sizeof values);
    qsort(expected, MANY, sizeof *expected, in_order);
    assert_true(statistics_of(values, NULL, MANY).min == -INFINITY);
    for (size_t i = 0; i < MANY; i++)
        if (!same_double(values[i], expected[i]))
            fail_msg("%zu: %a, expected %a", i, values[i], expected[i]);
}

static void infinity_shows_in_max_and_mean(void **state)
{
    (void)state;
    double values[] = {1, INFINITY, 2};
    const struct statistics statistics = statistics_of(values, NULL, COUNT_OF(values));
    assert_true(statistics.p50 == 2 && statistics.max == INFINITY && statistics.mean == INFINITY);
}

static void statistics_of_nothing_are_nan(void **state)
{
    (void)state;
    const struct statistics statistics = statistics_of(NULL, NULL, 0);
    assert_true(isnan(statistics.min) && isnan(statistics.p50) && isnan(statistics.p90));
    assert_true(isnan(statistics.p99) && isnan(statistics.max) && isnan(statistics.mean));
}

static double rational_mean(const double *values, size_t count)
{
    mpq_t sum, term;
    mpq_inits(sum, term, (mpq_ptr)0);
    for (size_t i = 0; i < count; i++) {
        mpq_set_d(term, values[i]);
        mpq_add(sum, sum, term);
    }
    mpq_set_ui(term, count, 1);
    mpq_div(sum, sum, term);
    const double mean = rounded_double(sum, MPFR_RNDN);
    mpq_clears(sum, term, (mpq_ptr)0);
    return mean;
}

static void mean_is_the_rational_rounded_once(void **state)
{
    (void)state;
    double values[VALUES_MOST];
    seed_random(4);
    for (int round = 0; round < 2000; round++) {
        const size_t count = 1 + below(round % 50 ? 20 : VALUES_MOST);
        for (size_t i = 0; i < count; i++)
            values[i] = ldexp((double)(next_random() >> 11), (int)below(round % 3 ? 10 : 400) - 200);
        const double expected = rational_mean(values, count);
        assert_true(statistics_of(values, NULL, count).mean == expected);
    }
}

/* The mean is 1 + 2^-53 + 2^-202: above a tie, which a sum of 113 bits would make it. */
static void mean_is_not_rounded_on_the_way(void **state)
{
    (void)state;
    double values[] = {4, 0x1p-51, 0x1p-200, 0};
    assert_true(statistics_of(values, NULL, COUNT_OF(values)).mean == 1 + 0x1p-52);
    double thirds[] = {DBL_MAX, DBL_MAX, -DBL_MAX};
    assert_true(statistics_of(thirds, NULL, COUNT_OF(thirds)).mean == rational_mean(thirds, COUNT_OF(thirds)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_metric_is_the_rational_rounded_up_once),
        cmocka_unit_test(comparison_of_metrics_sees_the_last_bit),
        cmocka_unit_test(the_five_metrics_of_the_contract_are_there),
        cmocka_unit_test(exact_result_has_no_error_of_any_kind),
        cmocka_unit_test(nearest_result_of_a_sum_that_does_not_fit_has_an_error),
        cmocka_unit_test(relative_error_is_undefined_where_only_the_sum_is_zero),
        cmocka_unit_test(zero_for_a_sum_that_is_not_zero_is_wrong_by_one),
        cmocka_unit_test(errors_are_never_below_the_true_ones),
        cmocka_unit_test(error_just_above_half_an_ulp_is_not_printed_as_half),
        cmocka_unit_test(error_of_an_inexact_sum_is_never_zero),
        cmocka_unit_test(spacing_that_binary64_lacks_is_that_of_the_sum),
        cmocka_unit_test(infinity_for_a_finite_sum_beyond_binary64_has_no_error),
        cmocka_unit_test(subnormal_error_is_rounded_up),
        cmocka_unit_test(nan_for_a_sum_is_nan_in_every_error),
        cmocka_unit_test(nan_for_a_sum_breaks_every_bound_that_is_claimed),
        cmocka_unit_test(spacing_that_binary64_lacks_is_that_of_the_sum),
        cmocka_unit_test(infinity_for_a_finite_sum_is_an_overflow),
        cmocka_unit_test(a_negative_variance_is_a_class_of_its_own),
        cmocka_unit_test(result_of_infinite_data_is_a_class_of_its_own),
        cmocka_unit_test(same_infinity_as_the_sum_is_no_error),
        cmocka_unit_test(another_value_than_an_infinite_sum_is_infinitely_wrong),
        cmocka_unit_test(sum_beyond_the_range_is_judged_by_its_own_ulp),
        cmocka_unit_test(power_of_two_has_the_ulp_of_its_upper_side),
        cmocka_unit_test(ulp_of_zero_is_least_subnormal),
        cmocka_unit_test(bound_of_zero_is_broken_by_every_error),
        cmocka_unit_test(ratio_to_a_bound_of_infinity_is_undefined),
        cmocka_unit_test(a_bound_above_the_sum_of_the_magnitudes_claims_nothing_unless_it_is_broken),
        cmocka_unit_test(bound_ratio_shows_an_error_one_part_in_2_to_the_52_above_the_bound),
        cmocka_unit_test(bin_k_starts_at_2_to_the_k_and_ends_below_the_next),
        cmocka_unit_test(what_is_no_relative_error_below_1_is_counted_apart),
        cmocka_unit_test(range_of_a_histogram_is_that_of_its_bins),
        cmocka_unit_test(counts_add_up_to_the_trials),
        cmocka_unit_test(no_relative_error_is_outside_the_histogram),
        cmocka_unit_test(quantile_is_the_smallest_value_with_enough_at_or_below_it),
        cmocka_unit_test(one_nan_counts_as_the_largest_wherever_it_stands),
        cmocka_unit_test(quantiles_of_1_to_100_are_their_percent),
        cmocka_unit_test(nan_is_last_and_shows_in_max_and_mean),
        cmocka_unit_test(many_values_are_sorted_to_their_last_bit),
        cmocka_unit_test(an_interval_has_the_ranks_of_the_binomial_distribution),
        cmocka_unit_test(infinity_shows_in_max_and_mean),
        cmocka_unit_test(statistics_of_nothing_are_nan),
        cmocka_unit_test(mean_is_the_rational_rounded_once),
        cmocka_unit_test(mean_is_not_rounded_on_the_way),
    };
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
