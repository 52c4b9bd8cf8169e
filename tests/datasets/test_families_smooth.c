/* Families that are made with the elementary functions, or that are series: lognormal, anderson, harmonic, basel,
 * alt_harmonic, sine. */
#include "family.h"

#include "datasets/gaussian.h"

#include <inttypes.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lognormal ---- */

static void lognormal_is_exp_of_normal(void **state)
{
    (void)state;
    const struct generator_call call = family_call("lognormal:n=10000,mu=0.5,sigma=3");
    struct dataset data = family_make("lognormal:n=10000,mu=0.5,sigma=3");
    mpfr_t x;
    double largest = 0;
    mpfr_init2(x, 53);
    for (uint64_t i = 0; i < data.n; i++) {
        mpfr_set_d(x, 0.5 + 3 * gaussian(&call, i, random_of_element(&call, i)), MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        largest = fmax(largest, fabs((double)((float *)data.x)[i] / mpfr_get_d(x, MPFR_RNDN) - 1));
    }
    assert_true(largest < 0x1p-23 && largest > 0x1p-26);
    mpfr_clear(x);
    dataset_free(&data);
}

static uint64_t count_of_small(const char *text)
{
    struct dataset data = family_make(text);
    const float *x = data.x;
    const double half_ulp = family_exact(text, NULL) * 0x1p-24;
    uint64_t small = 0;
    for (uint64_t i = 0; i < data.n; i++) {
        assert_true(x[i] > 0 && isnormal(x[i]));
        small += (double)x[i] < half_ulp;
    }
    dataset_free(&data);
    return small;
}

static void lognormal_is_mostly_below_half_an_ulp_of_its_sum(void **state)
{
    (void)state;
    assert_true(count_of_small("lognormal:n=64Ki,sigma=6") > 65536 / 10 * 9);
    assert_true(count_of_small("lognormal:n=64Ki,sigma=0.5") == 0); /* the twin */
}

static void lognormal_hurts_plain_when_the_large_come_first(void **state)
{
    (void)state;
    const double first = family_error("lognormal:n=64Ki,sigma=4,order=magnitude_descending", "plain/serial");
    const double last = family_error("lognormal:n=64Ki,sigma=4,order=magnitude", "plain/serial");
    assert_true(first > 5e-5 && last < 2e-7);
    assert_true(family_error("lognormal:n=64Ki,sigma=4,order=magnitude_descending", "neumaier/serial") < 6e-8);
}

static void lognormal_refuses_what_may_overflow(void **state)
{
    (void)state;
    assert_family_refuses("lognormal:n=4,mu=40,sigma=4");
    assert_family_refuses("lognormal:n=4,mu=-60");
    assert_true(count_of_small("lognormal:n=4096,mu=-3,sigma=6") <= 4096);
}

/* ---- anderson ---- */

static void anderson_cancels_without_pairs(void **state)
{
    (void)state;
    const char *const specs[] = {"anderson:n=4096", "anderson:n=4097", "anderson:n=1Mi"};
    for (size_t k = 0; k < 3; k++) {
        double condition;
        const double exact = family_exact(specs[k], &condition);
        assert_true(exact * 0x1p24 == rint(exact * 0x1p24));
        assert_true(condition > 0x1p22);
        assert_true(family_error(specs[k], "plain/serial") > 1e-3);
        assert_true(family_error(specs[k], "plain/pairwise") > 1e-4);
        assert_true(family_error(specs[k], "binary64/serial") < 6e-8);
        assert_true(family_error(specs[k], "neumaier/serial") < 6e-8);
    }
}

/* |sum| <= n 2^-25: m is the mean, to the nearest multiple of 2^-24. */
static void anderson_takes_off_the_nearest_mean(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 50; trial++)
        for (uint64_t n = 1; n < 8; n++) {
            char text[32];
            snprintf(text, sizeof text, "anderson:n=%" PRIu64, n);
            struct dataset data = family_make_trial(text, trial);
            double sum = 0;
            for (uint64_t i = 0; i < n; i++)
                sum += (double)((float *)data.x)[i];
            assert_true(fabs(sum) <= (double)n * 0x1p-25);
            dataset_free(&data);
        }
}

/* ---- series ---- */

/* Elements that are not the nearest binary32 of what `term` makes of i and n. */
typedef void term(mpfr_ptr y, uint64_t i, uint64_t n);

static uint64_t count_of_not_nearest(const char *text, term *make)
{
    struct dataset data = family_make(text);
    uint64_t off = 0;
    mpfr_t y;
    mpfr_init2(y, 120);
    for (uint64_t i = 0; i < data.n; i++) {
        make(y, i, data.n);
        off += ((float *)data.x)[i] != mpfr_get_flt(y, MPFR_RNDN);
    }
    mpfr_clear(y);
    dataset_free(&data);
    return off;
}

static void harmonic_term(mpfr_ptr y, uint64_t i, uint64_t n)
{
    (void)n;
    mpfr_set_ui(y, 1, MPFR_RNDN);
    mpfr_div_ui(y, y, i + 1, MPFR_RNDN);
}

static void alt_harmonic_term(mpfr_ptr y, uint64_t i, uint64_t n)
{
    harmonic_term(y, i, n);
    if (i % 2 == 0)
        mpfr_neg(y, y, MPFR_RNDN);
}

static void basel_term(mpfr_ptr y, uint64_t i, uint64_t n)
{
    harmonic_term(y, i, n);
    mpfr_div_ui(y, y, i + 1, MPFR_RNDN);
}

/* -sin(2 pi i/n) */
static void sine_term(mpfr_ptr y, uint64_t i, uint64_t n)
{
    mpfr_const_pi(y, MPFR_RNDN);
    mpfr_mul_ui(y, y, 2 * i, MPFR_RNDN);
    mpfr_div_ui(y, y, n, MPFR_RNDN);
    mpfr_sin(y, y, MPFR_RNDN);
    mpfr_neg(y, y, MPFR_RNDN);
    if (4 * i % n == 0 && (2 * i) % n == 0) /* the zeros, which pi to 120 bits misses */
        mpfr_set_zero(y, 1);
}

static void series_have_the_nearest_terms(void **state)
{
    (void)state;
    assert_int_equal(count_of_not_nearest("harmonic:n=64Ki", harmonic_term), 0);
    assert_int_equal(count_of_not_nearest("alt_harmonic:n=64Ki", alt_harmonic_term), 0);
    assert_int_equal(count_of_not_nearest("basel:n=64Ki", basel_term), 0);
    assert_int_equal(count_of_not_nearest("sine:n=10007", sine_term), 0);
    assert_int_equal(count_of_not_nearest("sine:n=4096", sine_term), 0);
    assert_true(count_of_not_nearest("basel:n=64Ki", harmonic_term) > 0);
}

/* Of those from 2^24 - 500 on. */
static uint64_t count_of_not_nearest_near_2_to_24(const char *family, term *make)
{
    enum { COUNT = 100000, FIRST = (1 << 24) - 500 };
    static float x[COUNT];
    char text[64];
    uint64_t off = 0;
    mpfr_t y;
    snprintf(text, sizeof text, "%s:n=32Mi", family);
    const struct generator_call call = family_call(text);
    generator_find(family)->elements(&call, FIRST, COUNT, x);
    mpfr_init2(y, 120);
    for (uint64_t i = 0; i < COUNT; i++) {
        make(y, FIRST + i, call.n);
        off += x[i] != mpfr_get_flt(y, MPFR_RNDN);
    }
    mpfr_clear(y);
    return off;
}

/* 1/(k + 1) for 1/k: closer than two numbers of binary32 there, so that most are the same. */
static void next_term(mpfr_ptr y, uint64_t i, uint64_t n)
{
    harmonic_term(y, i + 1, n);
}

static void series_have_the_nearest_terms_where_k_is_no_binary32(void **state)
{
    (void)state;
    assert_int_equal(count_of_not_nearest_near_2_to_24("harmonic", harmonic_term), 0);
    assert_int_equal(count_of_not_nearest_near_2_to_24("alt_harmonic", alt_harmonic_term), 0);
    assert_int_equal(count_of_not_nearest_near_2_to_24("basel", basel_term), 0);
    assert_true(count_of_not_nearest_near_2_to_24("harmonic", next_term) > 0); /* the twin */
}

static void harmonic_stands_still_in_binary32(void **state)
{
    (void)state;
    const float at_2Mi = family_sum("harmonic:n=2Mi", "plain/serial");
    assert_true(at_2Mi == 15.4036827f);
    assert_true(family_sum("harmonic:n=4Mi", "plain/serial") == at_2Mi);
    assert_true(family_error("harmonic:n=4Mi", "plain/serial") > 0.02);
    assert_true(family_error("harmonic:n=4Mi", "kahan/serial") < 6e-8);
    assert_true(family_sum("harmonic:n=1Mi", "plain/serial") != at_2Mi);
}

static void assert_better_backwards(const char *text, double at_least, double at_most)
{
    char reversed[64];
    snprintf(reversed, sizeof reversed, "%s,order=reversed", text);
    assert_true(family_error(text, "plain/serial") > at_least);
    assert_true(family_error(reversed, "plain/serial") < at_most);
    assert_true(family_error(text, "neumaier/serial") < 6e-8);
}

static void series_are_better_backwards(void **state)
{
    (void)state;
    assert_better_backwards("basel:n=64Ki", 1e-4, 1e-7);
    assert_better_backwards("alt_harmonic:n=1Mi", 5e-6, 1e-7);
    assert_better_backwards("harmonic:n=1Mi", 1e-4, 5e-6);
    const float at_4096 = family_sum("basel:n=4096", "plain/serial");
    assert_true(family_sum("basel:n=64Ki", "plain/serial") == at_4096);
    assert_true(family_sum("basel:n=3000", "plain/serial") != at_4096);
}

static void series_have_the_sums_of_their_cards(void **state)
{
    (void)state;
    double condition;
    assert_true(fabs(family_exact("harmonic:n=1Mi", NULL) - (log(0x1p20) + 0.5772156649)) < 1e-6);
    assert_true(fabs(family_exact("basel:n=64Ki", NULL) - (acos(-1) * acos(-1) / 6 - 0x1p-16)) < 1e-7);
    assert_true(fabs(family_exact("alt_harmonic:n=1Mi", &condition) - (0x1p-21 - log(2))) < 1e-7);
    assert_true(fabs(condition - (1.4427 * log(0x1p20) + 0.8327)) < 1e-2);
}

/* ---- sine ---- */

static void sine_has_the_sum_0_in_exact_sums_and_very_wide_ones(void **state)
{
    (void)state;
    const char *const specs[] = {"sine:n=1e6", "sine:n=99991", "sine:n=1e6,order=shuffled:1"};
    for (size_t k = 0; k < 3; k++) {
        assert_true(family_exact(specs[k], NULL) == 0);
        assert_true(family_sum(specs[k], "superacc/serial") == 0);
        assert_true(family_sum(specs[k], "plain/serial") != 0);
        assert_true(family_sum(specs[k], "kahan/serial") != 0);
        assert_true(family_sum(specs[k], "binary64_kahan/serial") == 0);
        assert_true(family_sum(specs[k], "binned/serial") == 0);
    }
    assert_true(family_sum(specs[0], "neumaier/serial") != 0);
    assert_true(family_sum(specs[0], "klein/serial") != 0);
    assert_true(family_sum(specs[0], "binary64/serial") != 0);
    assert_true(family_sum(specs[0], "plain/serial") != family_sum(specs[2], "plain/serial"));
}

static void sine_is_antisymmetric_to_the_last_bit(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 100; n++) {
        char text[32];
        snprintf(text, sizeof text, "sine:n=%" PRIu64, n);
        struct dataset data = family_make(text);
        const float *x = data.x;
        assert_int_equal(float_bits(x[0]), 0);
        for (uint64_t i = 1; i < n; i++)
            assert_true(x[n - i] == -x[i] && (x[i] == 0) == (2 * i == n));
        dataset_free(&data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lognormal_is_exp_of_normal),
        cmocka_unit_test(lognormal_is_mostly_below_half_an_ulp_of_its_sum),
        cmocka_unit_test(lognormal_hurts_plain_when_the_large_come_first),
        cmocka_unit_test(lognormal_refuses_what_may_overflow),
        cmocka_unit_test(anderson_cancels_without_pairs),
        cmocka_unit_test(anderson_takes_off_the_nearest_mean),
        cmocka_unit_test(series_have_the_nearest_terms),
        cmocka_unit_test(series_have_the_nearest_terms_where_k_is_no_binary32),
        cmocka_unit_test(harmonic_stands_still_in_binary32),
        cmocka_unit_test(series_are_better_backwards),
        cmocka_unit_test(series_have_the_sums_of_their_cards),
        cmocka_unit_test(sine_has_the_sum_0_in_exact_sums_and_very_wide_ones),
        cmocka_unit_test(sine_is_antisymmetric_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
