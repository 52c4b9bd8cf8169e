/* The families of a given condition number, by the reference's exact sum: they reach it, and methods fail as it says.
 */
#include "family.h"

#include "datasets/conditioned.h"
#include "reference/statistic.h"
#include "src/base/format.h"
#include "tests/support/heard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 96 };

/* The shortest that reaches every condition. */
struct family {
    const char *id;
    uint64_t least_n;
};
static const struct family families[] = {{"gendot", 50}, {"gensum", 3}, {"gendot2", 3}, {"rand_cond", 3}};
enum { FAMILIES = sizeof families / sizeof *families };

static const char *spec_of(char text[LENGTH], const char *id, uint64_t n, double cond)
{
    snprintf(text, LENGTH, "%s:n=%" PRIu64 ",cond=%.17g", id, n, cond);
    return text;
}

static struct exact_sum sum_exactly(const struct dataset *data)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(data->format, data->x, data->n, &exact), OK);
    return exact;
}

static double condition_of(const struct dataset *data)
{
    struct exact_sum exact = sum_exactly(data);
    const double condition = exact.condition;
    exact_free(&exact);
    return condition;
}

static bool is_near(double reached, double cond)
{
    return reached >= cond / 3 && reached <= cond * 3;
}

/* ---- the condition ---- */

/* No order of adding them overflows, either. */
static void assert_reaches(const char *id, uint64_t n, double cond, uint64_t trials)
{
    char text[LENGTH];
    for (uint64_t trial = 0; trial < trials; trial++) {
        struct dataset data = family_make_trial(spec_of(text, id, n, cond), trial);
        struct exact_sum exact = sum_exactly(&data);
        if (!is_near(exact.condition, cond) || exact.sum_abs_above > 0x1.01p127)
            fail_msg("%s, trial %" PRIu64 ": condition %g, sum |x| = %g", text, trial, exact.condition,
                     exact.sum_abs_above);
        exact_free(&exact);
        dataset_free(&data);
    }
}

static void every_family_reaches_every_condition_at_every_length(void **state)
{
    (void)state;
    static const double conditions[] = {1,    1.001, 1.5,  2,    3,    10,   100,  1e4,  1e8,  1e14, 1e20,
                                        1e30, 1e38,  1e50, 1e60, 1e70, 1e79, 1e80, 2e80, 1e81, 1e82, 1e83};
    for (int f = 0; f < FAMILIES; f++)
        for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
            for (uint64_t n = families[f].least_n; n < families[f].least_n + 4; n++)
                assert_reaches(families[f].id, n, conditions[c], 10);
            assert_reaches(families[f].id, 100, conditions[c], 10);
            assert_reaches(families[f].id, 4096, conditions[c], 2);
            if (c % 4 == 1)
                assert_reaches(families[f].id, 65536, conditions[c], 1);
        }
}

/* Were half of the products of gendot negative, it would have 1.02 for 1. */
static void a_condition_near_1_comes_to_a_hundredth(void **state)
{
    (void)state;
    static const double conditions[] = {1, 1.01, 1.1, 1.5, 2};
    char text[LENGTH];
    for (int f = 0; f < FAMILIES; f++)
        for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++)
            for (uint64_t trial = 0; trial < 10; trial++) {
                struct dataset data = family_make_trial(spec_of(text, families[f].id, 100, conditions[c]), trial);
                const double quotient = condition_of(&data) / conditions[c];
                if (!(quotient > 0.99 && quotient < 1.01))
                    fail_msg("%s, trial %" PRIu64 ": %g times that condition", text, trial, quotient);
                dataset_free(&data);
            }
}

static void every_seed_reaches_it(void **state)
{
    (void)state;
    char text[LENGTH];
    for (int f = 0; f < FAMILIES; f++)
        for (uint64_t seed = 0; seed < 50; seed++) {
            struct data_spec *specs;
            struct dataset data;
            size_t count;
            const double cond = seed % 2 ? 1e8 : 1e80;
            assert_int_equal(
                data_specs_read(spec_of(text, families[f].id, 100, cond), "test", NONFINITE_REFUSE, &specs, &count),
                OK);
            assert_int_equal(dataset_make(specs, seed << 29, seed, &data), OK);
            assert_true(is_near(condition_of(&data), cond));
            dataset_free(&data);
            data_specs_free(specs, count);
        }
}

/* The twin: one element less, and it is lost. */
static void without_one_element_the_condition_is_another(void **state)
{
    (void)state;
    char text[LENGTH];
    for (int f = 0; f < FAMILIES; f++) {
        struct dataset data = family_make(spec_of(text, families[f].id, 100, 1e20));
        float *x = data.x;
        for (uint64_t i = 1; i < data.n; i++)
            if (fabsf(x[i]) > fabsf(x[0])) { /* the largest to the front */
                const float x_0 = x[0];
                x[0] = x[i];
                x[i] = x_0;
            }
        const struct dataset shorter = {.format = data.format, .x = x + 1, .n = data.n - 1};
        assert_false(is_near(condition_of(&shorter), 1e20));
        dataset_free(&data);
    }
}

static void no_family_has_zeros_or_one_sign_alone(void **state)
{
    (void)state;
    const double conditions[] = {1e2, 1e8, 1e40, 1e83};
    char text[LENGTH];
    for (int f = 0; f < FAMILIES; f++)
        for (int c = 0; c < 4; c++) {
            struct dataset data = family_make(spec_of(text, families[f].id, 4096, conditions[c]));
            const float *x = data.x;
            uint64_t negative = 0;
            for (uint64_t i = 0; i < data.n; i++) {
                assert_true(x[i] != 0);
                negative += x[i] < 0;
            }
            assert_in_range(negative, data.n / 16, data.n - data.n / 16);
            dataset_free(&data);
        }
}

/* Two numbers of 24 bits, which cancel altogether, and products of too few pairs. */
static void what_cannot_be_reached_is_refused_with_what_was(void **state)
{
    (void)state;
    const char *const specs[] = {"gensum:n=2,cond=1e10", "gendot:n=2,cond=1e10", "gendot:n=20,cond=1e80"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        struct heard heard = listen_to_stderr();
        assert_family_refuses(specs[k]);
        heard_all(&heard);
        const char *reached = strstr(heard.text, "condition ");
        assert_non_null(reached);
        const double condition = strtod(reached + strlen("condition "), NULL);
        assert_true(condition >= 1 && isfinite(condition) == (k > 0) && !is_near(condition, k < 2 ? 1e10 : 1e80));
        assert_non_null(strstr(heard.text, "expected within a factor of 3"));
    }
    for (int f = 0; f < FAMILIES; f++) {
        char text[LENGTH];
        assert_family_refuses(spec_of(text, families[f].id, 100, 1.1e83));
        assert_family_refuses(spec_of(text, families[f].id, 100, 0.999));
        assert_family_refuses(spec_of(text, families[f].id, 1, 1));
    }
}

/* ---- what methods make of them ---- */

/* |computed - s| / |s| in trial 0. */
static double error_of(const char *id, double cond, const char *method)
{
    char text[LENGTH];
    return family_error(spec_of(text, id, 4096, cond), method);
}

static void plain_has_no_digit_right_from_1e10_on(void **state)
{
    (void)state;
    for (int f = 0; f < FAMILIES; f++)
        for (double cond = 1e10; cond < 1e60; cond *= 1e7) {
            assert_true(error_of(families[f].id, cond, "plain/serial") >= 1);
            assert_true(error_of(families[f].id, cond, "plain/tree_two_pass") >= 0.9); /* 0: a relative error of 1 */
            assert_true(error_of(families[f].id, 10, "plain/serial") < 1e-3);          /* the twin */
        }
}

/* Of the order of cond u: Kahan's error is at most about (2 u + n^2 u^2) sum |x|. */
static void the_error_of_kahan_grows_as_the_condition(void **state)
{
    (void)state;
    const double u = 0x1p-24;
    for (int f = 0; f < FAMILIES; f++) {
        double largest[2] = {0};
        for (int step = 0; step < 2; step++)
            for (uint64_t trial = 0; trial < 10; trial++) {
                char text[LENGTH];
                const double cond = step ? 1e12 : 1e9;
                struct dataset data = family_make_trial(spec_of(text, families[f].id, 4096, cond), trial);
                struct exact_sum exact = sum_exactly(&data);
                const double s = mpfr_get_d(exact.sum, MPFR_RNDN);
                const double error = fabs((double)family_add(&data, "kahan/serial") - s) / fabs(s);
                assert_true(error <= 3 * cond * (2 * u + u * u * 4096 * 4096));
                largest[step] = fmax(largest[step], error);
                exact_free(&exact);
                dataset_free(&data);
            }
        if (f < 2) /* of the others, more than the small ones, which are the sum, cannot be lost */
            assert_in_range((int)(largest[1] / largest[0]), 100, 10000);
        print_message("%-10s kahan/serial: error %.2g at cond = 1e9, %.2g at 1e12\n", families[f].id, largest[0],
                      largest[1]);
    }
}

static void superacc_is_right_at_every_condition(void **state)
{
    (void)state;
    char text[LENGTH];
    for (int f = 0; f < FAMILIES; f++)
        for (double cond = 1; cond < 1e83; cond *= 1e9) {
            struct dataset data = family_make(spec_of(text, families[f].id, 4096, cond));
            struct exact_sum exact = sum_exactly(&data);
            assert_true((double)family_add(&data, "superacc/serial") == exact.nearest);
            exact_free(&exact);
            dataset_free(&data);
        }
}

/* Its error is u |s| and about n^2 u^2 sum |x| at the worst, n u^2 as a rule: 1 / (4096 u^2) is 7e10. */
static void neumaier_is_right_up_to_1_over_n_u_squared(void **state)
{
    (void)state;
    for (int f = 0; f < FAMILIES; f++) {
        for (double cond = 1; cond < 1e8; cond *= 10)
            assert_true(error_of(families[f].id, cond, "neumaier/serial") <= 0x1p-22);
        assert_true(error_of(families[f].id, 1e10, "neumaier/serial") < 1e-2);
        assert_true(error_of(families[f].id, 1e18, "neumaier/serial") > 1e-2); /* the twin */
    }
}

/* ---- spread ---- */

static struct exact_sum statistic_of(enum exact_statistic of, uint64_t ddof, const struct dataset *data)
{
    struct exact_sum exact;
    assert_int_equal(
        exact_statistic(of, ddof, data->format, (struct exact_how){0}, data->x, NULL, data->n, &exact, &exact.moments),
        OK);
    return exact;
}

static bool reaches_kappa(const char *text, uint64_t trial, double kappa)
{
    struct dataset data = family_make_trial(text, trial);
    struct exact_sum std = statistic_of(EXACT_STD, 0, &data);
    const double quotient = std.condition / kappa;
    exact_free(&std);
    dataset_free(&data);
    return quotient > 0.7 && quotient < 1.5;
}

/* To a hundredth where the spacing is fine enough; the worst are deviations of one spacing and a half. */
static void spread_reaches_its_kappa_up_to_the_last_one_that_there_is(void **state)
{
    (void)state;
    static const char *const shapes[] = {"offset", "clusters", "outlier"};
    static const uint64_t sizes[] = {256, 4096, 65536};
    size_t compared = 0;
    for (int f = 0; f < STORED_FORMAT_COUNT; f++)
        for (int shape = 0; shape < 3; shape++)
            for (int n = 0; n < 3; n++) {
                const int p = NUMBER_FORMATS[f]->precision;
                const double most = ldexp(16 << (2 * n), p - 1); /* (1/2u) root of n */
                for (double kappa = 1; kappa <= most; kappa *= 3, compared++) {
                    char text[LENGTH];
                    snprintf(text, LENGTH, "spread:n=%" PRIu64 ",shape=%s,kappa=%.17g,format=%s", sizes[n],
                             shapes[shape], kappa, NUMBER_FORMATS[f]->name);
                    if (!reaches_kappa(text, compared % 7, kappa))
                        fail_msg("%s, trial %zu: another kappa", text, compared % 7);
                    assert_false(reaches_kappa(text, 0, 3 * kappa)); /* the twin */
                }
            }
    print_message("%zu kappas\n", compared);
    assert_true(compared > 500);
}

static void beyond_its_kappa_or_its_format_spread_is_refused(void **state)
{
    (void)state;
    assert_family_refuses("spread:n=4096,kappa=6e8");
    assert_family_refuses("spread:n=4096,scale=3");
    assert_family_refuses("spread:shape=timestamps,format=binary16");
    assert_family_refuses("spread:shape=outlier,kappa=1,scale=0x1p126");
    dataset_free((struct dataset[]){family_make("spread:n=4096,kappa=5e8")}); /* the twins */
    dataset_free((struct dataset[]){family_make("spread:n=4096,scale=4")});
    dataset_free((struct dataset[]){family_make("spread:shape=timestamps,format=bfloat16")});
    dataset_free((struct dataset[]){family_make("spread:shape=outlier,kappa=1,scale=0x1p121")});
}

static void the_variance_of_two_timestamps_is_what_was_reported(void **state)
{
    (void)state;
    struct dataset data = family_make("spread:n=2,shape=timestamps,format=binary64");
    struct exact_sum sample = statistic_of(EXACT_VARIANCE, 1, &data), all = statistic_of(EXACT_VARIANCE, 0, &data);
    assert_true(sample.nearest == 4.97259648e32 && all.nearest == 2.48629824e32);
    exact_free(&sample);
    exact_free(&all);
    dataset_free(&data);
}

/* ---- gendot ---- */

static bool has_12_bits(float v)
{
    int exponent;
    const float scaled = ldexpf(frexpf(v, &exponent), 12);
    return scaled == truncf(scaled);
}

static void gendot_pairs_have_12_bits_and_products_of_binary32(void **state)
{
    (void)state;
    enum { N = 1000 };
    for (double cond = 1; cond < 1e83; cond *= 1e9)
        for (uint64_t trial = 0; trial < 4; trial++) {
            const struct generator_call call = {
                .n = N, .seed = 1, .trial = trial, .family = 7, .format = FORMAT_BINARY32};
            float x[N], y[N], products[N];
            double reached;
            assert_int_equal(gendot_pairs_build(&call, cond, 0, x, y, &reached), OK);
            for (int i = 0; i < N; i++) {
                assert_true(has_12_bits(x[i]) && has_12_bits(y[i]));
                products[i] = x[i] * y[i];
                assert_true((double)products[i] == (double)x[i] * (double)y[i]);
            }
            struct exact_sum sum, dot;
            assert_int_equal(exact_sum(&FORMAT_BINARY32, products, N, &sum), OK);
            assert_int_equal(exact_dot(&FORMAT_BINARY32, (struct exact_how){0}, x, y, N, &dot), OK);
            assert_true(mpfr_equal_p(sum.sum, dot.sum));
            assert_true(fabs(dot.condition / reached - 1) < 1e-12);
            exact_free(&sum);
            exact_free(&dot);
        }
    assert_false(has_12_bits(0x1.001p0f)); /* the twin: 13 */
}

/* The first half's are uniform; the second half's fall from the square root of cond. */
static void gendot_has_products_of_all_sizes_up_to_cond(void **state)
{
    (void)state;
    struct dataset data = family_make("gendot:n=4096,cond=0x1p40");
    const float *x = data.x;
    uint64_t decades[5] = {0};
    for (uint64_t i = 0; i < data.n; i++)
        if (ilogbf(x[i]) >= -8 && ilogbf(x[i]) < 42)
            decades[(ilogbf(x[i]) + 8) / 10]++;
    for (int d = 0; d < 5; d++)
        assert_in_range(decades[d], data.n / 20, data.n / 2);
    dataset_free(&data);
}

/* ---- gendot2, rand_cond ---- */

/* 1e80 is 2^265.75: 11 levels, the lowest of them 2^-240 below the first. */
static void gendot2_fills_every_level(void **state)
{
    (void)state;
    struct dataset data = family_make("gendot2:n=4096,cond=1e80");
    const float *x = data.x;
    uint64_t levels[11] = {0};
    const int top = ilogbf(x[0]);
    assert_true(x[0] == ldexpf(1, top));
    for (uint64_t i = 1; i < data.n / 2 - 1; i++) {
        assert_true(x[i] > 0 && x[i + data.n / 2] == -x[i]);
        const int down = (top - 1 - ilogbf(x[i])) / 24;
        if (down < 11)
            levels[down]++;
    }
    for (int level = 0; level < 11; level++)
        assert_in_range(levels[level], data.n / 2 / 11 / 2, data.n / 2 / 11 * 2);
    dataset_free(&data);
}

/* A correct digit at the first condition, none at the second: 2^24, 2^48, 2^53 and 2^72 lie between. */
static void gendot2_takes_each_method_its_words(void **state)
{
    (void)state;
    const struct {
        const char *method;
        double right, wrong;
    } rows[] = {{"plain/serial", 1e4, 1e10},
                {"neumaier/serial", 1e10, 1e17},
                {"double_float/serial", 1e10, 1e17},
                {"binary64/serial", 1e12, 1e19},
                {"klein/serial", 1e17, 1e25}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        assert_true(error_of("gendot2", rows[r].right, rows[r].method) < 0.1);
        assert_true(error_of("gendot2", rows[r].wrong, rows[r].method) > 0.5);
    }
}

static int by_magnitude(const void *a, const void *b)
{
    const float x = fabsf(*(const float *)a), y = fabsf(*(const float *)b);
    return (x > y) - (x < y);
}

/* 512 pairs among 4096, of them 64 below 1e-20, 192 below 1e-10; what stays is of two sizes. */
static void rand_cond_has_pairs_of_three_sizes(void **state)
{
    (void)state;
    struct dataset data = family_make("rand_cond:n=4096,cond=1e8");
    float *x = data.x;
    uint64_t pairs = 0, tiny = 0, small = 0;
    qsort(x, data.n, sizeof *x, by_magnitude);
    for (uint64_t i = 0; i + 1 < data.n; i++)
        if (x[i] == -x[i + 1]) {
            pairs++;
            tiny += fabsf(x[i]) < 1e-20f;
            small += fabsf(x[i]) >= 1e-20f && fabsf(x[i]) < 1e-10f;
            i++;
        }
    assert_int_equal(pairs, 512);
    assert_int_equal(tiny, 64);
    assert_int_equal(small, 192);
    dataset_free(&data);
}

static void built_families_change_sign_as_a_whole_by_chance(void **state)
{
    (void)state;
    for (int f = 0; f < FAMILIES; f++) {
        char text[LENGTH];
        unsigned positive = 0;
        for (uint64_t trial = 0; trial < 40; trial++) {
            struct dataset data = family_make_trial(spec_of(text, families[f].id, 64, 100), trial);
            struct exact_sum exact = sum_exactly(&data);
            positive += mpfr_sgn(exact.sum) > 0;
            exact_free(&exact);
            dataset_free(&data);
        }
        if (strcmp(families[f].id, "gendot2") == 0)
            assert_int_equal(positive, 40); /* a closed form: its sum is sum |x| / cond */
        else
            assert_in_range(positive, 8, 32);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_reaches_every_condition_at_every_length),
        cmocka_unit_test(a_condition_near_1_comes_to_a_hundredth),
        cmocka_unit_test(every_seed_reaches_it),
        cmocka_unit_test(without_one_element_the_condition_is_another),
        cmocka_unit_test(no_family_has_zeros_or_one_sign_alone),
        cmocka_unit_test(what_cannot_be_reached_is_refused_with_what_was),
        cmocka_unit_test(plain_has_no_digit_right_from_1e10_on),
        cmocka_unit_test(the_error_of_kahan_grows_as_the_condition),
        cmocka_unit_test(superacc_is_right_at_every_condition),
        cmocka_unit_test(neumaier_is_right_up_to_1_over_n_u_squared),
        cmocka_unit_test(spread_reaches_its_kappa_up_to_the_last_one_that_there_is),
        cmocka_unit_test(beyond_its_kappa_or_its_format_spread_is_refused),
        cmocka_unit_test(the_variance_of_two_timestamps_is_what_was_reported),
        cmocka_unit_test(gendot_pairs_have_12_bits_and_products_of_binary32),
        cmocka_unit_test(gendot_has_products_of_all_sizes_up_to_cond),
        cmocka_unit_test(gendot2_fills_every_level),
        cmocka_unit_test(gendot2_takes_each_method_its_words),
        cmocka_unit_test(rand_cond_has_pairs_of_three_sizes),
        cmocka_unit_test(built_families_change_sign_as_a_whole_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
