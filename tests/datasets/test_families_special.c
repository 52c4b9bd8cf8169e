/* Families of special values and of edges: what each does to whom. */
#include "family.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const all_sums[] = {"plain",        "kahan",    "kahan_two_sum", "neumaier", "sum2",    "klein",
                                       "double_float", "binary64", "fabsum",        "binned",   "superacc"};
enum { SUMS_COUNT = sizeof all_sums / sizeof *all_sums };

static float serial_sum(const char *text, const char *accumulator)
{
    char id[64];
    snprintf(id, sizeof id, "%s/serial", accumulator);
    return family_sum(text, id);
}

#define assert_same_bits(a, b) assert_int_equal(float_bits(a), float_bits(b))

/* ---- overflow_mid ---- */

static const char *const in_binary32[] = {"plain", "kahan", "kahan_two_sum", "neumaier",
                                          "sum2",  "klein", "double_float",  "fabsum"};
enum { IN_BINARY32 = sizeof in_binary32 / sizeof *in_binary32 };

static void assert_none_is_finite(const char *text)
{
    for (size_t k = 0; k < IN_BINARY32; k++)
        assert_true(!isfinite(serial_sum(text, in_binary32[k])));
}

static void overflow_mid_leaves_no_finite_sum_in_binary32(void **state)
{
    (void)state;
    assert_none_is_finite("overflow_mid:n=5");
    assert_none_is_finite("overflow_mid:n=1000");
    assert_none_is_finite("overflow_mid:n=1000,pattern=tie");
    assert_none_is_finite("overflow_mid:n=1000,pattern=mixed");
    for (size_t k = 0; k < SUMS_COUNT; k++) /* the twin */
        assert_same_bits(serial_sum("overflow_mid:n=1000,pattern=under", all_sums[k]), FLT_MAX);
}

static void overflow_mid_is_exact_in_binary64_but_mixed(void **state)
{
    (void)state;
    assert_same_bits(serial_sum("overflow_mid", "binary64"), 1.0f);
    assert_same_bits(serial_sum("overflow_mid:pattern=tie", "binary64"), FLT_MAX);
    assert_same_bits(serial_sum("overflow_mid:pattern=mixed", "binary64"), 0.0f);
}

static void overflow_mid_loses_the_1_in_trees_and_bins(void **state)
{
    (void)state;
    assert_same_bits(family_sum("overflow_mid", "binary64/tree_two_pass"), 0.0f); /* x_4 meets x_0 first */
    assert_same_bits(serial_sum("overflow_mid", "binned"), 0.0f);
    assert_same_bits(serial_sum("overflow_mid:pattern=mixed", "binned"), 0.0f);
    assert_same_bits(family_sum("overflow_mid", "superacc/tree_two_pass"), 1.0f); /* the twin */
}

static void overflow_mid_has_the_sum_of_its_card(void **state)
{
    (void)state;
    const double just_below_the_middle = 0x1p128 - 0x1p103 - 0x1p79;
    assert_true(family_exact("overflow_mid", NULL) == 1);
    assert_true(family_exact("overflow_mid:pattern=tie", NULL) == just_below_the_middle);
    assert_true(family_exact("overflow_mid:pattern=under", NULL) == just_below_the_middle);
    assert_true(family_exact("overflow_mid:pattern=mixed", NULL) == 3 * (double)0.1f);
    assert_same_bits(serial_sum("overflow_mid", "superacc"), 1.0f);
    assert_same_bits(serial_sum("overflow_mid:pattern=tie", "superacc"), FLT_MAX);
    assert_same_bits(serial_sum("overflow_mid:pattern=mixed", "superacc"), 0.3f);
}

static void overflow_mid_refuses_an_n_below_its_pattern(void **state)
{
    (void)state;
    assert_family_refuses("overflow_mid:n=4");
    assert_family_refuses("overflow_mid:n=8,pattern=mixed");
    assert_true(family_exact("overflow_mid:n=9,pattern=mixed", NULL) == 3 * (double)0.1f);
}

/* ---- two_sum_overflow ---- */

/* TwoSum as in the books. */
static float error_of_two_sum(volatile float a, volatile float b)
{
    volatile float s = a + b, b_rebuilt = s - a, a_rebuilt = s - b_rebuilt, a_lost = a - a_rebuilt,
                   b_lost = b - b_rebuilt;
    return a_lost + b_lost;
}

static void two_sum_overflow_makes_the_error_of_a_finite_sum_nan(void **state)
{
    (void)state;
    struct dataset data = family_make("two_sum_overflow:n=2");
    const float *x = data.x;
    assert_true(isfinite(x[0] + x[1]));
    assert_true(isnan(error_of_two_sum(x[0], x[1])));
    assert_true(!isnan(error_of_two_sum(x[1], x[0]))); /* the twin: the larger first */
    dataset_free(&data);
}

static void two_sum_overflow_has_the_condition_that_it_says(void **state)
{
    (void)state;
    const char *said = strstr(generator_find("two_sum_overflow")->exact, "condition ");
    double condition, beyond_one;
    int exponent;
    assert_non_null(said);
    assert_int_equal(sscanf(said, "condition 1 + %lf 2^%d", &beyond_one, &exponent), 2);
    family_exact("two_sum_overflow", &condition);
    assert_true(fabs((condition - 1) / ldexp(beyond_one, exponent) - 1) < 0x1p-20);
}

static void two_sum_overflow_is_survived_within_the_bound(void **state)
{
    (void)state;
    const double exact = family_exact("two_sum_overflow", NULL), half_ulp = 0x1p103;
    assert_true(exact == 0x1p128 - 5 * 0x1p103); /* and 4094, beyond the 53 bits of this double */
    for (size_t k = 0; k < SUMS_COUNT; k++) {
        const float sum = serial_sum("two_sum_overflow", all_sums[k]);
        assert_true(fabs((double)sum - exact) <= half_ulp);
    }
}

/* ---- specials ---- */

static void specials_of_inf_stay_inf_and_do_not_become_nan(void **state)
{
    (void)state;
    for (size_t k = 0; k < SUMS_COUNT; k++) {
        assert_true(serial_sum("specials:n=3,mix=1", all_sums[k]) == INFINITY);
        assert_true(serial_sum("specials:n=100,mix=9", all_sums[k]) == INFINITY);
        assert_true(isnan(serial_sum("specials:n=100,mix=2", all_sums[k])));
        assert_true(isnan(serial_sum("specials:n=100,mix=10", all_sums[k])));
        assert_true(isnan(serial_sum("specials:n=100,mix=11", all_sums[k])));
    }
}

/* What the card warns of: Kahan as in the books makes inf - inf. */
static void specials_make_kahan_without_care_nan(void **state)
{
    (void)state;
    struct dataset data = family_make("specials:n=3,mix=1");
    volatile float sum = 0, excess = 0;
    for (uint64_t i = 0; i < data.n; i++) {
        volatile float y = ((float *)data.x)[i] - excess, t = sum + y, grown = t - sum;
        excess = grown - y;
        sum = t;
    }
    assert_true(isnan(sum));
    dataset_free(&data);
}

/* ---- signed_zero ---- */

static float sum_from_first_element(const char *text)
{
    struct dataset data = family_make(text);
    const float *x = data.x;
    volatile float sum = x[0];
    for (uint64_t i = 1; i < data.n; i++)
        sum = sum + x[i];
    dataset_free(&data);
    return sum;
}

static void signed_zero_is_0_for_sums_that_start_from_0(void **state)
{
    (void)state;
    const char *const patterns[] = {"signed_zero:n=64", "signed_zero:n=64,pattern=mixed",
                                    "signed_zero:n=64,pattern=pairs"};
    for (size_t p = 0; p < 3; p++)
        for (size_t k = 0; k < SUMS_COUNT; k++)
            assert_same_bits(serial_sum(patterns[p], all_sums[k]), 0.0f);
}

/* Left to right x - x comes at once; a tree may leave a rounding of all x. */
static void signed_zero_in_pairs_may_be_no_zero_in_trees(void **state)
{
    (void)state;
    const char *const pairs = "signed_zero:n=4096,pattern=pairs";
    assert_true(family_sum(pairs, "kahan_naive_merge/tree_two_pass") != 0);
    assert_same_bits(family_sum(pairs, "kahan_naive_merge/serial"), 0.0f);
    assert_same_bits(family_sum("signed_zero:n=4096,pattern=mixed", "kahan_naive_merge/tree_two_pass"), 0.0f);
}

static void signed_zero_is_minus_0_for_a_sum_that_starts_from_its_elements(void **state)
{
    (void)state;
    assert_same_bits(sum_from_first_element("signed_zero:n=64"), -0.0f);
    assert_same_bits(sum_from_first_element("signed_zero:n=64,pattern=mixed"), 0.0f);
    assert_same_bits(sum_from_first_element("signed_zero:n=64,pattern=pairs"), 0.0f);
    assert_true(signbit(family_exact("signed_zero:n=64", NULL)));
    assert_true(!signbit(family_exact("signed_zero:n=64,pattern=mixed", NULL)));
    assert_true(!signbit(family_exact("signed_zero:n=64,pattern=pairs", NULL)));
    assert_true(!signbit(family_exact("signed_zero:n=0", NULL))); /* the sum of nothing */
    assert_true(family_exact("signed_zero:n=65,pattern=pairs", NULL) == 0);
}

/* ---- ties_mid ---- */

static const struct tie {
    const char *text;
    float nearest;
    bool plain_is_right, binary64_is_right;
} ties[] = {
    {"ties_mid:n=3", 0x1p24f + 2, false, false},
    {"ties_mid:n=3,pattern=below", 0x1p24f + 2, false, false},
    {"ties_mid:n=3,pattern=power", 0x1p24f - 3, false, true},
    {"ties_mid:n=3,pattern=decimal", 1e8f + 8, false, true},
    {"ties_mid:n=3,pattern=brink", -FLT_MAX, false, false},
    {"ties_mid:n=3,pattern=largest", -FLT_MAX, true, true},
};

static void ties_mid_are_decided_by_the_last_term_in_exact_sums_alone(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof ties / sizeof *ties; t++) {
        struct dataset data = family_make(ties[t].text);
        struct exact_sum exact;
        assert_int_equal(exact_sum(data.format, data.x, data.n, &exact), OK);
        assert_true(exact.nearest == (double)ties[t].nearest);
        exact_free(&exact);
        dataset_free(&data);
        assert_same_bits(serial_sum(ties[t].text, "superacc"), ties[t].nearest);
        assert_int_equal(serial_sum(ties[t].text, "plain") == ties[t].nearest, ties[t].plain_is_right);
        assert_int_equal(serial_sum(ties[t].text, "neumaier") == ties[t].nearest, ties[t].plain_is_right);
        assert_int_equal(serial_sum(ties[t].text, "binary64") == ties[t].nearest, ties[t].binary64_is_right);
    }
}

/* ---- full_range, half_range, difficult ---- */

/* Up to a factor 1.0615 above (-1)^i first (MAX / first)^(i/n), which is ReproBLAS's. */
static void assert_spans(const char *text, double first)
{
    struct dataset data = family_make(text);
    const float *x = data.x;
    for (uint64_t i = 0; i < data.n; i++) {
        const double power = first * pow((double)FLT_MAX / first, (double)i / (double)data.n);
        const double quotient = (i % 2 ? -1 : 1) * (double)x[i] / power;
        assert_true(quotient > 1 - 1e-4 && quotient < 1.0615 + 1e-4);
    }
    assert_true((double)x[0] == first);
    dataset_free(&data);
}

static void ranges_span_what_reproblas_spans(void **state)
{
    (void)state;
    assert_spans("full_range:n=4096", (double)FLT_MIN);
    assert_spans("half_range:n=4096", 1);
    assert_spans("half_range:n=5", 1);
}

static void ranges_overflow_with_a_stride_and_not_in_the_order_given(void **state)
{
    (void)state;
    const char *const ranges[] = {"full_range:n=4096", "half_range:n=4096"};
    for (size_t r = 0; r < 2; r++) {
        assert_true(!isfinite(family_sum(ranges[r], "plain/tree_two_pass")));
        assert_true(!isfinite(family_sum(ranges[r], "neumaier/vector_two_pass")));
        assert_true(family_error(ranges[r], "plain/serial") < 1e-6);
        assert_true(family_error(ranges[r], "plain/pairwise") < 1e-6);
        assert_true(family_error(ranges[r], "binary64/tree_two_pass") < 1e-6);
    }
}

static void difficult_defeats_all_but_exact_sums(void **state)
{
    (void)state;
    double condition;
    assert_true(family_exact("difficult:n=4096", &condition) == 1);
    assert_true(condition > 1e31 && condition < 1e32);
    for (size_t k = 0; k < SUMS_COUNT - 1; k++)
        assert_true(fabsf(serial_sum("difficult:n=4096", all_sums[k]) - 1) >= 1);
    assert_same_bits(serial_sum("difficult:n=4096", "superacc"), 1.0f);
    assert_same_bits(serial_sum("difficult:n=1", "plain"), 1.0f); /* the twin: nothing but the 1 */
    assert_same_bits(family_sum("difficult:n=4096", "binary64_kahan/tree_two_pass"), 1.0f);
    assert_family_refuses("difficult:n=64Gi");
}

static void difficult_jumps_by_86_binades_or_more(void **state)
{
    (void)state;
    struct dataset data = family_make("difficult:n=4097"), smooth = family_make("half_range:n=4096");
    const float *x = data.x, *y = smooth.x;
    for (uint64_t i = 1; i < 2048; i++)
        assert_true(abs(ilogbf(x[i]) - ilogbf(x[i - 1])) >= 85);
    assert_true(abs(ilogbf(y[1]) - ilogbf(y[0])) <= 1); /* the twin */
    dataset_free(&data);
    dataset_free(&smooth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflow_mid_leaves_no_finite_sum_in_binary32),
        cmocka_unit_test(overflow_mid_is_exact_in_binary64_but_mixed),
        cmocka_unit_test(overflow_mid_loses_the_1_in_trees_and_bins),
        cmocka_unit_test(overflow_mid_has_the_sum_of_its_card),
        cmocka_unit_test(overflow_mid_refuses_an_n_below_its_pattern),
        cmocka_unit_test(two_sum_overflow_makes_the_error_of_a_finite_sum_nan),
        cmocka_unit_test(two_sum_overflow_has_the_condition_that_it_says),
        cmocka_unit_test(two_sum_overflow_is_survived_within_the_bound),
        cmocka_unit_test(specials_of_inf_stay_inf_and_do_not_become_nan),
        cmocka_unit_test(specials_make_kahan_without_care_nan),
        cmocka_unit_test(signed_zero_is_0_for_sums_that_start_from_0),
        cmocka_unit_test(signed_zero_in_pairs_may_be_no_zero_in_trees),
        cmocka_unit_test(signed_zero_is_minus_0_for_a_sum_that_starts_from_its_elements),
        cmocka_unit_test(ties_mid_are_decided_by_the_last_term_in_exact_sums_alone),
        cmocka_unit_test(ranges_span_what_reproblas_spans),
        cmocka_unit_test(ranges_overflow_with_a_stride_and_not_in_the_order_given),
        cmocka_unit_test(difficult_defeats_all_but_exact_sums),
        cmocka_unit_test(difficult_jumps_by_86_binades_or_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
