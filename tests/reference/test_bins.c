/* The bins at their limits, against GMP integers and per-term MPFR: where a counter, a block, a bank, a limb or a total
 * ends.
 */
#include "reference/bins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "summed_data.h"

/* ---- where things end ---- */

static void every_length_up_to_300_and_around_the_ends_of_blocks(void **state)
{
    (void)state;
    seed_random(1);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (uint64_t n = 0; n <= 4 * BLOCK + 9; n++) {
            if (n > 300 && (n + 9) % BLOCK64 > 18)
                continue;
            struct data data = any_data(formats[f], n);
            assert_sum_is_right(&data);
            free(data.x);
        }
}

static void the_largest_numbers_do_not_push_out_the_least(void **state)
{
    (void)state;
    static const uint64_t times[] = {1, 2, 16, 1 << 16};
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t t = 0; t < COUNT_OF(times); t++) {
            const double largest = largest_of(formats[f]), least = ldexp(1, formats[f]->least_exponent);
            struct data data = data_new(formats[f], 2 * times[t] + 1);
            for (uint64_t i = 0; i < data.n; i++)
                set(&data, i, i < times[t] ? largest : i == times[t] ? least : -largest);
            struct exact_sum exact = sum_of(&data, verified);
            assert_true(exact.nearest == least && mpfr_cmp_d(exact.sum, least) == 0);
            assert_true(is_the_integer_sum(&exact, &data, NULL));
            assert_int_equal(exact.subnormals, 1);
            exact_free(&exact);
            free(data.x);
        }
}

static void subnormals_alone_are_summed_and_counted(void **state)
{
    (void)state;
    seed_random(2);
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        struct data data = data_new(formats[f], 3 * BLOCK + 5);
        uint64_t zeros = 0;
        for (uint64_t i = 0; i < data.n; i++) {
            const double x = ldexp((double)below(1 << 23), formats[f]->least_exponent);
            set(&data, i, below(2) ? x : -x);
            zeros += x == 0;
        }
        struct exact_sum exact = sum_of(&data, verified);
        assert_true(is_the_integer_sum(&exact, &data, NULL));
        assert_int_equal(exact.subnormals, data.n - zeros);
        assert_int_equal(exact.least_exponent, formats[f]->least_exponent + formats[f]->precision - 1);
        assert_int_equal(exact.largest_exponent, exact.least_exponent);
        exact_free(&exact);
        free(data.x);
    }
}

static void sixteen_million_and_one_equal_terms(void **state)
{
    (void)state;
    const uint64_t n = (1 << 24) + 1;
    struct data data = repeated(&FORMAT_BINARY32, 1, n);
    struct exact_sum exact = sum_of(&data, (struct exact_how){0});
    assert_true(mpfr_cmp_ui(exact.sum, n) == 0 && mpfr_cmp_ui(exact.sum_abs, n) == 0);
    exact_free(&exact);
    for (uint64_t i = 1; i < n; i += 2)
        data.x32[i] = -1;
    exact = sum_of(&data, (struct exact_how){0});
    assert_true(mpfr_cmp_ui(exact.sum, 1) == 0 && mpfr_cmp_ui(exact.sum_abs, n) == 0);
    exact_free(&exact);
    free(data.x);
}

/* ---- the counters' limits ---- */

/* Whether n terms of one value are summed right when counters are folded after so many. */
static bool equal_terms_are_right(const struct format *format, double value, uint64_t n, uint64_t fold_after)
{
    struct data data = repeated(format, value, n);
    mpfr_t expected;
    mpfr_init2(expected, 200);
    mpfr_set_d(expected, value, MPFR_RNDN);
    mpfr_mul_ui(expected, expected, n, MPFR_RNDN);
    const int apart_most = bins_fields_apart_most;
    bins_fields_apart_most = -1; /* else no counter has anything to do */
    bins_fold_after = fold_after;
    struct exact_sum exact = sum_of(&data, (struct exact_how){0});
    bins_fold_after = 0;
    bins_fields_apart_most = apart_most;
    const bool right = mpfr_equal_p(exact.sum, expected);
    mpfr_clear(expected);
    exact_free(&exact);
    free(data.x);
    return right;
}

static void counters_are_right_up_to_their_limit_and_wrong_beyond(void **state)
{
    (void)state;
    const uint64_t most = 65535;
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_true(equal_terms_are_right(&FORMAT_BINARY32, sign * (double)FLT_MAX, BANKS * most, most));
        assert_true(equal_terms_are_right(&FORMAT_BINARY32, sign * (double)FLT_MAX, 3 * BANKS * most, 0));
        assert_false(equal_terms_are_right(&FORMAT_BINARY32, sign * (double)FLT_MAX, BANKS * most + 1, most + 1));
    }
}

/* The quotients are as large as can be, or the remainders are: the largest exponent of a cell, or the least. */
static void counters_of_binary64_are_right_up_to_their_limit_and_wrong_beyond(void **state)
{
    (void)state;
    static const double values[] = {0x1.fffffffffffffp+0, -0x1.fffffffffffffp+992, 0x1.fffffffffffffp+1,
                                    -0x1.fffffffffffffp-991};
    const uint64_t most = 1 << 22;
    for (size_t v = 0; v < COUNT_OF(values); v++) {
        assert_true(equal_terms_are_right(&FORMAT_BINARY64, values[v], most, most));
        assert_true(equal_terms_are_right(&FORMAT_BINARY64, values[v], most + 1, 0));
        assert_false(equal_terms_are_right(&FORMAT_BINARY64, values[v], most + 1, most + 1));
    }
}

/* Whether n numbers like this one, and the last of them this, have n times the sum of the one, and its exponent. */
static bool sum_is_that_of_equals(double value, uint64_t n, double last)
{
    struct data data = repeated(&FORMAT_BINARY64, value, n);
    mpfr_t expected;
    set(&data, n - 1, last);
    mpfr_init2(expected, 200);
    mpfr_set_d(expected, value, MPFR_RNDN);
    mpfr_mul_ui(expected, expected, n, MPFR_RNDN);
    struct exact_sum exact = sum_of(&data, (struct exact_how){0});
    const bool same = mpfr_equal_p(exact.sum, expected) && mpfr_cmpabs(exact.sum_abs, expected) == 0 &&
                      exact.least_exponent == ilogb(value) && exact.largest_exponent == ilogb(value);
    mpfr_clear(expected);
    exact_free(&exact);
    free(data.x);
    return same;
}

/* The lower words of cells run over again and again. */
static void counters_of_binary64_carry(void **state)
{
    (void)state;
    static const double values[] = {1, 1.5, DBL_MAX, DBL_MIN, 0x1.fffffffffffffp-1022, 0x1.fffffffffffffp+0};
    static const uint64_t times[] = {2047, 2048, 2049, 2731, 4095, 4096, 4097, 8192, 20000};
    for (size_t v = 0; v < COUNT_OF(values); v++)
        for (size_t t = 0; t < COUNT_OF(times); t++)
            for (int sign = -1; sign <= 1; sign += 2) {
                const double value = sign * values[v];
                assert_true(sum_is_that_of_equals(value, BANKS * times[t], value));
                assert_true(sum_is_that_of_equals(value, BANKS * times[t] + 3, value));
                assert_false(sum_is_that_of_equals(value, BANKS * times[t], nextafter(value, 0)));
            }
}

/* Lanes take what is not normal for a normal number, or, if some of the first 64 of a block are small, only what is not
 * finite; a third of it, and all. */
static void any_number_of_specials_is_counted(void **state)
{
    (void)state;
    static const double values[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x0.fffffffffffffp-1022};
    for (size_t v = 0; v < COUNT_OF(values); v++)
        for (int mixed = 0; mixed < 2; mixed++) {
            struct data data = repeated(&FORMAT_BINARY64, values[v], BANKS * UINT64_C(10000) + 3);
            for (uint64_t i = 0; i < data.n && mixed; i += 3)
                set(&data, i, i % 2 ? 1 : -0x1p100);
            struct exact_sum exact = sum_of(&data, verified);
            exact_free(&exact);
            free(data.x);
        }
}

/* A number far from all others, which has a cell of its own. */
static void an_outlier_is_seen_wherever_it_stands(void **state)
{
    (void)state;
    static const double outliers[] = {0x1p900, -0x1p-900};
    for (size_t f = 0; f < COUNT_OF(outliers); f++) {
        struct data data = repeated(&FORMAT_BINARY64, 1, 3 * BLOCK64 + 13);
        mpfr_t expected;
        mpfr_init2(expected, 1000);
        mpfr_set_d(expected, outliers[f], MPFR_RNDN);
        assert_int_equal(mpfr_add_ui(expected, expected, data.n - 1, MPFR_RNDN), 0);
        for (uint64_t i = 0; i < data.n; i++) {
            set(&data, i, outliers[f]);
            struct exact_sum exact = sum_of(&data, (struct exact_how){0});
            set(&data, i, 1);
            assert_true(mpfr_equal_p(exact.sum, expected));
            assert_int_equal(exact.least_exponent, f == 0 ? 0 : -900);
            assert_int_equal(exact.largest_exponent, f == 0 ? 900 : 0);
            assert_true(exact.max_abs == (f == 0 ? outliers[f] : 1));
            exact_free(&exact);
        }
        mpfr_clear(expected);
        free(data.x);
    }
}

/* A bank of pieces of one element gets them all. */
static void pieces_of_one_element_fill_one_bank(void **state)
{
    (void)state;
    const float x = -FLT_MAX;
    struct bins bins;
    assert_int_equal(bins_init(&bins, BINS_OF_BINARY32, -126), OK);
    struct data data = repeated(&FORMAT_BINARY32, (double)x, 65537);
    const int apart_most = bins_fields_apart_most;
    bins_fields_apart_most = -1;
    for (uint64_t i = 0; i < data.n; i++)
        bins_add(&bins, &x, NULL, 1);
    bins_fields_apart_most = apart_most;
    bins_fold(&bins);
    struct bins once;
    assert_int_equal(bins_init(&once, BINS_OF_BINARY32, -126), OK);
    bins_add(&once, data.x, NULL, data.n);
    bins_fold(&once);
    assert_memory_equal(bins.totals, once.totals, sizeof bins.totals);
    bins_free(&bins);
    bins_free(&once);
    free(data.x);
}

static void early_folds_change_nothing(void **state)
{
    (void)state;
    seed_random(3);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (uint64_t after = 1; after < 5000; after = after * 3 + 1) {
            struct data data = any_data(formats[f], 5000 + below(100));
            bins_fold_after = after;
            assert_sum_is_right(&data);
            bins_fold_after = 0;
            free(data.x);
        }
}

/* Of n terms, folded after each so many. */
static struct bins folded_after(const struct data *data, uint64_t n, uint64_t each)
{
    const bool wide = data->format == &FORMAT_BINARY64;
    struct bins bins;
    assert_int_equal(bins_init(&bins, wide ? BINS_OF_BINARY64 : BINS_OF_BINARY32, wide ? -1022 : -126), OK);
    for (uint64_t i = 0; i < n; i += each) {
        bins_add(&bins, (const char *)data->x + i * data->format->bytes, NULL, n - i < each ? n - i : each);
        bins_fold(&bins);
    }
    return bins;
}

/* Frees both. */
static bool same_bins(struct bins *a, struct bins *b)
{
    bins_free(a);
    bins_free(b);
    return memcmp(a->totals, b->totals, sizeof a->totals) == 0 && a->least_exponent == b->least_exponent &&
           a->largest_exponent == b->largest_exponent && a->max_abs == b->max_abs && a->subnormals == b->subnormals;
}

static void folds_between_pieces_change_nothing(void **state)
{
    (void)state;
    seed_random(4);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (uint64_t each = 1; each < 5000; each = each * 3 + 1) {
            struct data data = any_data(formats[f], 4000 + below(100));
            for (uint64_t left_out = 0; left_out < 2; left_out++) {
                struct bins once = folded_after(&data, data.n, data.n);
                struct bins often = folded_after(&data, data.n - left_out, each);
                assert_int_equal(same_bins(&once, &often), left_out == 0);
            }
            free(data.x);
        }
}

/* Each adds ones above the last, and then the least of them is added once more: a carry that ends above all. */
static void a_carry_runs_through_all_limbs(void **state)
{
    (void)state;
    struct data data = data_new(&FORMAT_BINARY64, 40);
    for (uint64_t i = 0; i < data.n; i++)
        set(&data, i, i < data.n - 1 ? ldexp(0x1p53 - 1, 53 * (int)i - 1074) : 0x1p-1074);
    assert_sum_is_right(&data);
    for (uint64_t left_out = 0; left_out < 2; left_out++) {
        struct bins once = folded_after(&data, data.n, data.n), often = folded_after(&data, data.n - left_out, 1);
        assert_int_equal(same_bins(&once, &often), left_out == 0);
    }
    free(data.x);
}

/* ---- the room of the totals ---- */

/* The most that totals are made for: 2^64 - 1 times the largest number. */
static void totals_hold_as_many_of_the_largest_as_can_be_counted(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct data data = repeated(formats[f], sign * largest_of(formats[f]), 1);
            struct exact_sum exact;
            assert_int_equal(exact_sum_repeated(formats[f], data.x, 1, UINT64_MAX, &exact), OK);
            mpfr_div_ui(exact.sum, exact.sum, UINT64_MAX, MPFR_RNDN);
            assert_true(mpfr_cmp_d(exact.sum, sign * largest_of(formats[f])) == 0);
            exact_free(&exact);
            free(data.x);
        }
}

/* The same of products, which no interface repeats. */
static void totals_of_products_hold_as_many_of_the_largest(void **state)
{
    (void)state;
    static const enum bins_of products[] = {BINS_OF_PRODUCTS32, BINS_OF_PRODUCTS64};
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        struct data x = repeated(formats[f], largest_of(formats[f]), 1);
        struct bins bins;
        mpz_t total, largest;
        mpz_inits(total, largest, (mpz_ptr)0);
        assert_int_equal(bins_init(&bins, products[f], f == 0 ? -126 : -1022), OK);
        bins_add(&bins, x.x, x.x, 1);
        bins_fold(&bins);
        mpz_import(largest, bins.limbs, -1, sizeof *bins.totals[0], 0, 0, bins.totals[0]);
        bins_multiply(&bins, UINT64_MAX);
        mpz_import(total, bins.limbs, -1, sizeof *bins.totals[0], 0, 0, bins.totals[0]);
        mpz_mul_ui(largest, largest, UINT64_MAX);
        assert_int_equal(mpz_cmp(total, largest), 0);
        mpz_clears(total, largest, (mpz_ptr)0);
        bins_free(&bins);
        free(x.x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_up_to_300_and_around_the_ends_of_blocks),
        cmocka_unit_test(the_largest_numbers_do_not_push_out_the_least),
        cmocka_unit_test(subnormals_alone_are_summed_and_counted),
        cmocka_unit_test(sixteen_million_and_one_equal_terms),
        cmocka_unit_test(counters_are_right_up_to_their_limit_and_wrong_beyond),
        cmocka_unit_test(counters_of_binary64_are_right_up_to_their_limit_and_wrong_beyond),
        cmocka_unit_test(counters_of_binary64_carry),
        cmocka_unit_test(any_number_of_specials_is_counted),
        cmocka_unit_test(an_outlier_is_seen_wherever_it_stands),
        cmocka_unit_test(pieces_of_one_element_fill_one_bank),
        cmocka_unit_test(early_folds_change_nothing),
        cmocka_unit_test(folds_between_pieces_change_nothing),
        cmocka_unit_test(a_carry_runs_through_all_limbs),
        cmocka_unit_test(totals_hold_as_many_of_the_largest_as_can_be_counted),
        cmocka_unit_test(totals_of_products_hold_as_many_of_the_largest),
    };
    return cmocka_run_group_tests_name("bins", tests, NULL, NULL);
}
