/* Families whose harm comes from many additions: counts that stop, ties, drifts, graded series. */
#include "family.h"

#include <inttypes.h>
#include <stdio.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { SPEC_TEXT = 96 };

static const double u = 0x1p-24;

#define assert_sum(spec, id, sum) assert_true((double)family_sum(spec, id) == (double)(sum))

/* ---- ones, n_cond ---- */

static void ones_stop_plain_at_2_to_24(void **state)
{
    (void)state;
    assert_sum("ones:n=17Mi", "plain/serial", 0x1p24);
    assert_sum("ones:n=17Mi", "plain/tree_two_pass", 17 << 20);
    assert_sum("ones:n=17Mi", "neumaier/serial", 17 << 20);
    assert_sum("ones:n=16Mi", "plain/serial", 16 << 20);
}

static void ones_stop_neumaier_at_2_to_25(void **state)
{
    struct dataset data = family_make("ones:n=33Mi");
    (void)state;
    assert_true(family_add(&data, "neumaier/serial") == 0x1p25f);
    assert_true(family_add(&data, "kahan/serial") == 33 << 20);
    assert_true(family_add(&data, "klein/serial") == 33 << 20);
    dataset_free(&data);
}

static void n_cond_has_a_condition_of_2n(void **state)
{
    double condition;
    (void)state;
    assert_true(family_exact("n_cond:n=4096", &condition) == -1);
    assert_true(condition == 2 * 4096 - 1);
}

static void n_cond_beyond_2_to_24_is_not_counted_by_plain(void **state)
{
    struct dataset data = family_make("n_cond:n=17Mi");
    (void)state;
    assert_true(family_add(&data, "plain/serial") == -17 * 0x1p20f);
    assert_true(family_add(&data, "neumaier/serial") == -0x1p20f);
    assert_true(family_add(&data, "kahan/serial") == -1);
    assert_true(family_add(&data, "klein/serial") == -1);
    dataset_free(&data);
    assert_family_refuses("n_cond:n=16777217");
}

static void n_cond_rand_has_a_condition_of_about_2n(void **state)
{
    double condition;
    (void)state;
    family_exact("n_cond_rand:n=4096", &condition);
    assert_true(condition > 4096 && condition < 4 * 4096);
    assert_family_refuses("n_cond_rand:n=16777217");
}

/* ---- tie, round_up ---- */

/* Both sums and their difference are exact in binary64. */
static double error_of(const char *spec, const char *id)
{
    return (double)family_sum(spec, id) - family_exact(spec, NULL);
}

static void tie_attains_n_minus_1_u(void **state)
{
    (void)state;
    assert_true(error_of("tie:n=2", "plain/serial") == -u);
    assert_true(error_of("tie:n=4096", "plain/serial") == -4095 * u);
    assert_true(error_of("tie:n=1Mi", "plain/serial") == -(0x1p20 - 1) * u);
    assert_true(fabs(error_of("tie:n=1Mi", "plain/tree_two_pass")) < 40 * u);
    assert_true(fabs(error_of("tie:n=1Mi", "kahan/serial")) <= u);
}

/* What any order of n - 1 additions is held to: (n-1) u sum |x|. */
static double share_of_bound(const char *spec, uint64_t n, const char *id)
{
    return fabs(error_of(spec, id)) / ((double)(n - 1) * u * family_exact(spec, NULL));
}

static void round_up_drifts_by_the_sum_of_all_roundings(void **state)
{
    const uint64_t n = 64 << 10;
    (void)state;
    assert_sum("round_up:n=64Ki", "plain/serial", 1 + (double)(n - 1) * 2 * u);
    assert_true(error_of("round_up:n=64Ki", "plain/serial") == (double)(n - 1) * (u - 0x1p-47));
    assert_sum("round_up:n=64Ki,side=down", "plain/serial", 1);
    const double share = share_of_bound("round_up:n=64Ki", n, "plain/serial");
    assert_true(share > 0.99 && share <= 1);
    assert_true(share_of_bound("round_up:n=64Ki", n, "plain/tree_two_pass") < 1e-4);
}

/* The same sizes, to either side: a walk of n - 1 steps of u. */
static void round_up_mixed_drifts_as_the_root_of_n(void **state)
{
    static const struct {
        const char *spec;
        double root;
    } walks[] = {{"round_up:n=4Ki,side=mixed", 64},
                 {"round_up:n=16Ki,side=mixed", 128},
                 {"round_up:n=64Ki,side=mixed", 256},
                 {"round_up:n=256Ki,side=mixed", 512},
                 {"round_up:n=1Mi,side=mixed", 1024}};
    (void)state;
    for (size_t k = 0; k < COUNT_OF(walks); k++) {
        const double steps = fabs(error_of(walks[k].spec, "plain/serial")) / u;
        print_message("%s: %.1f u\n", walks[k].spec, steps);
        assert_true(steps < 3 * walks[k].root);
        assert_true(steps > walks[k].root / 20);
    }
}

/* 2^23 additions lead from 1 to 2, and each more adds the ulp of 2. */
static void round_up_goes_on_in_the_next_binade(void **state)
{
    (void)state;
    assert_sum("round_up:n=8388609", "plain/serial", 2);
    assert_sum("round_up:n=8388709", "plain/serial", 2 + 100 * 4 * u);
    assert_family_refuses("round_up:n=8388609,side=mixed");
}

/* ---- bias ---- */

/* Root mean square of the backward error of plain/serial, over trials. */
static double typical_backward_error(uint64_t n, double mu)
{
    enum { TRIALS = 60 };
    char spec[SPEC_TEXT];
    double squares = 0;
    snprintf(spec, sizeof spec, "bias:n=%" PRIu64 ",mu=%g", n, mu);
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct dataset data = family_make_trial(spec, trial);
        struct exact_sum exact;
        assert_int_equal(exact_sum(data.format, data.x, data.n, &exact), OK);
        const double s = mpfr_get_d(exact.sum, MPFR_RNDN);
        const double error = ((double)family_add(&data, "plain/serial") - s) / exact.sum_abs_above;
        squares += error * error;
        exact_free(&exact);
        dataset_free(&data);
    }
    return sqrt(squares / TRIALS);
}

/* From n to 64 n.  60 trials give the root mean square to about a tenth. */
static void bias_makes_the_backward_error_grow_as_the_root_of_n(void **state)
{
    const double biased = typical_backward_error(64 << 10, 1) / typical_backward_error(1 << 10, 1);
    const double centred = typical_backward_error(64 << 10, 0) / typical_backward_error(1 << 10, 0);
    (void)state;
    print_message("from n = 1Ki to 64Ki the backward error grows %.2f times, without bias %.2f times\n", biased,
                  centred);
    assert_true(biased > 8 / 1.4 && biased < 8 * 1.4);
    assert_true(centred > 1 / 1.4 && centred < 1.4);
}

/* ---- mountain, telescope ---- */

static void mountain_leaves_a_rounding_of_its_peak_in_trees(void **state)
{
    (void)state;
    assert_true(family_exact("mountain:n=30", NULL) == 0 && family_exact("mountain:n=4001", NULL) == 0);
    assert_sum("mountain:n=30", "plain/pairwise_1", -0x1p57);
    assert_true(family_sum("mountain:n=30", "plain/vector_two_pass") != 0);
    assert_sum("mountain:n=30", "plain/serial", 0);
    assert_sum("mountain:n=4000", "plain/serial", 0);
    assert_true(family_sum("mountain:n=4000", "kahan/serial") != 0);
    assert_sum("mountain:n=4000", "neumaier/serial", 0);
}

/* The twin: both halves of the tree forget the same. */
static void mountain_vanishes_where_the_tree_is_a_mirror(void **state)
{
    (void)state;
    assert_sum("mountain:n=32", "plain/pairwise_1", 0);
    assert_sum("mountain:n=4096", "plain/pairwise_1", 0);
    assert_sum("mountain:n=4096", "plain/vector_two_pass", 0);
}

static void telescope_adds_up_to_minus_1_exactly(void **state)
{
    static const char *const specs[] = {"telescope:n=2,r=1.99", "telescope:n=100,r=1.7", "telescope:n=4096",
                                        "telescope:n=64Ki,r=1.0013", "telescope:n=126,r=1.99"};
    (void)state;
    for (size_t k = 0; k < COUNT_OF(specs); k++)
        assert_true(family_exact(specs[k], NULL) == -1);
    assert_true(family_exact("telescope:n=800Ki,r=1.0001", NULL) == -1);
    assert_family_refuses("telescope:n=1000,r=1.7");
    assert_family_refuses("telescope:n=900Ki,r=1.0001");
    assert_family_refuses("telescope:n=10,r=2");
}

static void telescope_takes_the_sum_from_binary64_and_not_from_neumaier(void **state)
{
    (void)state;
    assert_sum("telescope:n=100,r=1.7", "plain/serial", 0);
    assert_sum("telescope:n=100,r=1.7", "kahan/serial", 0);
    assert_sum("telescope:n=100,r=1.7", "binary64/serial", 0);
    assert_sum("telescope:n=100,r=1.7", "neumaier/serial", -1);
    assert_sum("telescope:n=4096", "binary64/serial", 0);
    assert_sum("telescope:n=4096", "klein/serial", -1);
    assert_sum("telescope:n=40,r=1.7", "binary64/serial", -1); /* r^39 < 2^30 */
    assert_sum("telescope:n=40,r=1.7", "plain/serial", 0);
}

/* ---- exp_uniform, leblanc ---- */

struct census {
    uint64_t of_exponent[200], negative;
};

static struct census census_of(const char *spec)
{
    struct census census = {{0}, 0};
    struct dataset data = family_make(spec);
    const float *x = data.x;
    for (uint64_t i = 0; i < data.n; i++) {
        int exponent;
        frexp((double)x[i], &exponent);
        assert_in_range(exponent - 1 + 100, 0, 199);
        census.of_exponent[exponent - 1 + 100]++;
        census.negative += x[i] < 0;
    }
    dataset_free(&data);
    return census;
}

/* 5 standard deviations of a count. */
static void assert_share(uint64_t found, uint64_t n, double share)
{
    assert_true(fabs((double)found - share * (double)n) < 5 * sqrt((double)n * share * (1 - share)));
}

static void exp_uniform_has_every_exponent_of_its_range_alike(void **state)
{
    const struct census census = census_of("exp_uniform:n=64Ki,range=9,negative=0.25");
    (void)state;
    for (int e = -100; e < 100; e++) {
        const bool inside = e >= -4 && e <= 4;
        if (inside)
            assert_share(census.of_exponent[e + 100], 64 << 10, 1.0 / 9);
        else
            assert_int_equal(census.of_exponent[e + 100], 0);
    }
    assert_share(census.negative, 64 << 10, 0.25);
    assert_int_equal(census_of("exp_uniform:n=64Ki,negative=0").negative, 0);
    assert_int_equal(census_of("exp_uniform:n=64Ki,negative=1").negative, 64 << 10);
}

static void exp_uniform_loses_its_small_ones_from_the_largest_down(void **state)
{
    const char *const rising = "exp_uniform:n=64Ki,negative=0,order=magnitude";
    const char *const falling = "exp_uniform:n=64Ki,negative=0,order=magnitude_descending";
    (void)state;
    assert_true(family_error(falling, "plain/serial") > 10 * family_error(rising, "plain/serial"));
    assert_true(family_error(falling, "kahan/serial") < u);
}

static void leblanc_loses_the_low_half_behind_the_high_one(void **state)
{
    const char *const high = "leblanc:n=64Ki,ratio=1e5,high=1", *const low =
                                                                    "leblanc:n=64Ki,ratio=1e5,high=1,first=low";
    const double lows = 32768 * (double)(float)1e-5;
    (void)state;
    assert_true(family_exact(high, NULL) == 32768 + lows && family_exact(low, NULL) == 32768 + lows);
    assert_sum(high, "plain/serial", 32768);
    assert_true(family_error(low, "plain/serial") < u);
    assert_true(family_error(high, "kahan/serial") < u);
}

static void leblanc_in_binary32_is_dominated_by_its_high_value(void **state)
{
    (void)state;
    assert_true(family_error("leblanc:n=1Mi", "plain/serial") > 1e-3);
    assert_true(family_error("leblanc:n=1Mi,first=interleaved", "plain/serial") > 1e-3);
    assert_true(family_error("leblanc:n=1Mi", "plain/tree_two_pass") < 1e-6);
    assert_true(family_exact("leblanc:n=5,ratio=16,high=1", NULL) == 3.125);
    assert_true(family_exact("leblanc:n=5,ratio=16,high=1,first=low", NULL) == 3.125);
    assert_true(family_exact("leblanc:n=5,ratio=16,high=1,first=interleaved", NULL) == 3.125);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ones_stop_plain_at_2_to_24),
        cmocka_unit_test(ones_stop_neumaier_at_2_to_25),
        cmocka_unit_test(n_cond_has_a_condition_of_2n),
        cmocka_unit_test(n_cond_beyond_2_to_24_is_not_counted_by_plain),
        cmocka_unit_test(n_cond_rand_has_a_condition_of_about_2n),
        cmocka_unit_test(tie_attains_n_minus_1_u),
        cmocka_unit_test(round_up_drifts_by_the_sum_of_all_roundings),
        cmocka_unit_test(round_up_mixed_drifts_as_the_root_of_n),
        cmocka_unit_test(round_up_goes_on_in_the_next_binade),
        cmocka_unit_test(bias_makes_the_backward_error_grow_as_the_root_of_n),
        cmocka_unit_test(mountain_leaves_a_rounding_of_its_peak_in_trees),
        cmocka_unit_test(mountain_vanishes_where_the_tree_is_a_mirror),
        cmocka_unit_test(telescope_adds_up_to_minus_1_exactly),
        cmocka_unit_test(telescope_takes_the_sum_from_binary64_and_not_from_neumaier),
        cmocka_unit_test(exp_uniform_has_every_exponent_of_its_range_alike),
        cmocka_unit_test(exp_uniform_loses_its_small_ones_from_the_largest_down),
        cmocka_unit_test(leblanc_loses_the_low_half_behind_the_high_one),
        cmocka_unit_test(leblanc_in_binary32_is_dominated_by_its_high_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
