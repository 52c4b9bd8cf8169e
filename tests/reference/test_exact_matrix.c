/* Exact matrix products: every element against exact_dot of its row and column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "matrix_trial.h"

/* ---- an element by exact_dot ---- */

static struct exact_sum dot_of(const struct matrix_product *product, uint64_t i, uint64_t j)
{
    struct exact_sum exact;
    void *const x = malloc((product->inner + 1) * sizeof(double)), *const y =
                                                                       malloc((product->inner + 1) * sizeof(double));
    assert_true(x && y);
    for (uint64_t k = 0; k < product->inner; k++) {
        held_set(product->format, x, k, number_in(product->format, &product->a, i, k));
        held_set(product->format, y, k, number_in(product->format, &product->b, k, j));
    }
    assert_int_equal(exact_dot(product->format, (struct exact_how){0}, x, y, product->inner, &exact), OK);
    free(x);
    free(y);
    return exact;
}

static double error_away_from_0(const mpfr_t sum, double computed)
{
    mpfr_t error;
    mpfr_init2(error, 6000);
    assert_int_equal(mpfr_d_sub(error, computed, sum, MPFR_RNDN), 0);
    const double rounded = mpfr_get_d(error, MPFR_RNDA);
    mpfr_clear(error);
    return rounded;
}

static bool is_the_dot(const struct matrix_product *product, const struct exact_element *element, uint64_t i,
                       uint64_t j)
{
    struct exact_sum exact = dot_of(product, i, j);
    double error = 0;
    if (product->computed.numbers)
        error = error_away_from_0(exact.sum, number_in(product->result, &product->computed, i, j));
    const bool is = element->kind == exact.kind && same_double(element->abs_above, exact.abs_above) &&
                    same_double(element->nearest, exact_round(exact.sum, product->result)) &&
                    same_double(element->ulp, exact_ulp(exact.sum, product->result)) &&
                    same_double(element->sum_abs_above, exact.sum_abs_above) &&
                    (element->error == error || (isnan(element->error) && isnan(error)));
    exact_free(&exact);
    return is;
}

static bool are_the_dots(const struct trial *trial)
{
    const struct matrix_product *const product = &trial->product;
    for (uint64_t i = 0; i < product->rows; i++)
        for (uint64_t j = 0; j < product->columns; j++)
            if (!is_the_dot(product, &trial->elements[i * product->columns + j], i, j)) {
                print_error("element %llu, %llu of %s products to %s\n", (unsigned long long)i, (unsigned long long)j,
                            product->format->name, product->result->name);
                return false;
            }
    return true;
}

static void assert_dots(struct trial *trial, unsigned workers)
{
    assert_int_equal(exact_matrix(&trial->product, workers, trial->elements), OK);
    assert_true(are_the_dots(trial));
}

/* ---- any products ---- */

static void try_formats(const struct format *format, const struct format *result)
{
    for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
        for (int again = 0; again < 6; again++) {
            struct trial trial = any_trial(format, result, kind);
            assert_dots(&trial, (unsigned)below(3));
            trial_free(&trial);
        }
}

static void every_element_is_the_exact_dot_product(void **state)
{
    (void)state;
    seed_random(1);
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t r = 0; r < NUMBER_FORMAT_COUNT; r++)
            try_formats(NUMBER_FORMATS[f], NUMBER_FORMATS[r]);
}

static void shapes_that_no_tile_divides_are_whole(void **state)
{
    (void)state;
    static const uint64_t shapes[][3] = {{1, 1, 1},   {259, 3, 67}, {40, 39, 38}, {5, 700, 133}, {600, 2, 3},
                                         {3, 2, 600}, {1, 900, 1},  {400, 7, 1},  {1, 7, 400},   {2, 5000, 3}};
    seed_random(2);
    for (size_t s = 0; s < COUNT_OF(shapes); s++)
        for (size_t f = 0; f < 2; f++) {
            struct trial trial = trial_new(NUMBER_FORMATS[f], NUMBER_FORMATS[f], shapes[s], any_finite, seldom_special);
            assert_dots(&trial, 2);
            trial_free(&trial);
        }
}

static void the_number_of_threads_changes_nothing(void **state)
{
    (void)state;
    seed_random(3);
    for (size_t f = 0; f < 2; f++) {
        struct trial trial =
            trial_new(NUMBER_FORMATS[f], &FORMAT_BINARY32, (uint64_t[]){301, 40, 130}, seldom_special, any_finite);
        assert_dots(&trial, 1);
        const size_t bytes = 301 * 130 * sizeof *trial.elements;
        struct exact_element *const first = malloc(bytes);
        assert_non_null(first);
        memcpy(first, trial.elements, bytes);
        for (unsigned workers = 2; workers <= 7; workers++) {
            memset(trial.elements, 0xff, bytes);
            assert_int_equal(exact_matrix(&trial.product, workers, trial.elements), OK);
            for (size_t e = 0; e < 301 * 130; e++)
                assert_true(trial.elements[e].kind == first[e].kind &&
                            same_double(trial.elements[e].nearest, first[e].nearest) &&
                            same_double(trial.elements[e].sum_abs_above, first[e].sum_abs_above) &&
                            same_double(trial.elements[e].error, first[e].error));
        }
        free(first);
        trial_free(&trial);
    }
}

/* ---- limits of the counters and totals ---- */

/* The largest factor: all bits, at the last place of a window. */
static double fullest(const struct format *format)
{
    return format == &FORMAT_BINARY64 ? 0x1.fffffffffffffp+3 : (double)0x1.fffffep+1F;
}

static double least_of(const struct format *format)
{
    return ldexp(1, format->least_exponent);
}

static void counters_hold_as_many_products_as_they_may(void **state)
{
    (void)state;
    static const uint64_t terms[] = {1 << 11, 1 << 17}; /* binary64, binary32 */
    seed_random(4);
    for (size_t f = 0; f < 2; f++)
        for (uint64_t n = terms[f] - 1; n <= 3 * terms[f] + 1; n += terms[f] + 1) {
            struct trial trial =
                trial_new(NUMBER_FORMATS[f], NUMBER_FORMATS[f], (uint64_t[]){1, n, 2}, fullest, fullest);
            set_number(trial.product.format, trial.b, &trial.product.b, n - 1, 1, -least_of(trial.product.format));
            assert_dots(&trial, 1);
            trial_free(&trial);
        }
}

static void the_largest_product_does_not_push_out_the_least(void **state)
{
    (void)state;
    seed_random(5);
    for (size_t f = 0; f < 2; f++) {
        const struct format *const format = NUMBER_FORMATS[f];
        const double largest = format_largest(format), least = least_of(format),
                     row[] = {largest, largest, least, -largest, -largest};
        struct trial trial = trial_new(format, &FORMAT_BINARY64, (uint64_t[]){1, 5, 1}, any_finite, any_finite);
        for (uint64_t k = 0; k < 5; k++) {
            set_number(format, trial.a, &trial.product.a, 0, k, row[k]);
            set_number(format, trial.b, &trial.product.b, k, 0, k == 2 ? least : largest);
        }
        assert_dots(&trial, 1);
        assert_true(trial.elements[0].abs_above == (f == 0 ? 0x1p-1074 : 0x1p-298));
        trial_free(&trial);
    }
}

/* 2^53 - 1 at every 53rd bit is a row of ones through ten limbs; one more at its end carries through all of them. */
static void a_carry_goes_through_all_limbs(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct trial trial =
            trial_new(&FORMAT_BINARY64, &FORMAT_BINARY64, (uint64_t[]){1, 13, 1}, any_finite, any_finite);
        for (uint64_t k = 0; k < 13; k++) {
            const double x = k < 12 ? ldexp(0x1p53 - 1, 53 * (int)k - 300) : 0x1p-300;
            set_number(&FORMAT_BINARY64, trial.a, &trial.product.a, 0, k, x);
            set_number(&FORMAT_BINARY64, trial.b, &trial.product.b, k, 0, sign);
        }
        assert_dots(&trial, 1);
        assert_true(trial.elements[0].nearest == sign * 0x1p336);
        trial_free(&trial);
    }
}

/* ---- single facts ---- */

/* The element of a row x and a column y, judged beside `computed`. */
static struct exact_element element_of(const struct format *format, const struct format *result, const double *x,
                                       const double *y, uint64_t n, double computed)
{
    struct trial trial = trial_new(format, result, (uint64_t[]){1, n, 1}, of_one_size, of_one_size);
    for (uint64_t k = 0; k < n; k++) {
        set_number(format, trial.a, &trial.product.a, 0, k, x[k]);
        set_number(format, trial.b, &trial.product.b, k, 0, y[k]);
    }
    set_number(result, trial.computed, &trial.product.computed, 0, 0, computed);
    assert_dots(&trial, 1);
    const struct exact_element element = trial.elements[0];
    trial_free(&trial);
    return element;
}

static struct exact_element pair(double x, double y, double computed)
{
    return element_of(&FORMAT_BINARY64, &FORMAT_BINARY64, (const double[]){x, 1}, (const double[]){y, 1}, 2, computed);
}

static void the_empty_sum_is_0(void **state)
{
    (void)state;
    const struct exact_element element = element_of(&FORMAT_BINARY32, &FORMAT_BINARY32, NULL, NULL, 0, -2);
    assert_true(same_double(element.nearest, 0) && element.sum_abs_above == 0 && element.error == -2);
}

static void a_matrix_without_elements_is_read_and_written_nowhere(void **state)
{
    (void)state;
    const struct matrix_product none[] = {
        {.format = &FORMAT_BINARY32, .result = &FORMAT_BINARY32, .inner = 3, .columns = 4},
        {.format = &FORMAT_BINARY32, .result = &FORMAT_BINARY32, .rows = 3, .inner = 4},
        {.format = &FORMAT_BINARY64, .result = &FORMAT_BINARY64},
    };
    for (size_t i = 0; i < COUNT_OF(none); i++)
        assert_int_equal(exact_matrix(&none[i], 2, NULL), OK);
}

static void only_zeros_that_are_all_negative_sum_to_negative_0(void **state)
{
    (void)state;
    const double zeros[] = {-0.0, 0.0, -0.0}, signs[] = {1, -3, 5}, one_more[] = {1, 3, 5};
    assert_true(same_double(element_of(&FORMAT_BINARY32, &FORMAT_BINARY32, zeros, signs, 3, 0).nearest, -0.0));
    assert_true(same_double(element_of(&FORMAT_BINARY32, &FORMAT_BINARY32, zeros, one_more, 3, 0).nearest, 0.0));
    assert_true(same_double(pair(-1, 1, 0).nearest, 0.0)); /* 1 - 1 */
}

static void an_infinity_times_0_is_a_NaN(void **state)
{
    (void)state;
    assert_int_equal(pair(INFINITY, 0, 1).kind, EXACT_NAN);
    assert_int_equal(pair(INFINITY, -0x1p-1074, 1).kind, EXACT_INF);
    assert_true(pair(INFINITY, -0x1p-1074, 1).error == INFINITY); /* 1 - (-Inf) */
    assert_true(isnan(pair(INFINITY, 1, INFINITY).error));
    assert_true(pair(3, 5, -INFINITY).error == -INFINITY);
    assert_true(isnan(pair(3, 5, NAN).error));
}

static void products_beyond_the_range_are_finite(void **state)
{
    (void)state;
    const struct exact_element element = pair(DBL_MAX, DBL_MAX, DBL_MAX);
    assert_int_equal(element.kind, EXACT_FINITE);
    assert_true(element.nearest == INFINITY && element.abs_above == INFINITY && element.error == -INFINITY);
}

static void what_is_not_exact_has_an_error(void **state)
{
    (void)state;
    const double tiny[] = {0x1p-1074}, twice[] = {0x1p-1074};
    const struct exact_element element = element_of(&FORMAT_BINARY64, &FORMAT_BINARY64, tiny, twice, 1, 0);
    assert_true(same_double(element.nearest, 0) && element.abs_above == 0x1p-1074 && element.error == -0x1p-1074);
    assert_true(pair(0x1p500, 0x1p500, 0x1p1000).error == -1);
    assert_true(pair(0x1p500, 0x1p500, 0x1.0000000000001p1000).error == 0x1p948); /* rounded away from 0 */
}

static void every_result_is_rounded_once(void **state)
{
    (void)state;
    const double x[] = {1, 0x1p-11F, 0x1p-60F}, y[] = {1, 1, 1};
    assert_true(element_of(&FORMAT_BINARY32, &FORMAT_BINARY16, x, y, 3, 1).nearest == 1 + 0x1p-10);
    assert_true(element_of(&FORMAT_BINARY32, &FORMAT_BINARY16, x, y, 2, 1).nearest == 1);
    assert_true(element_of(&FORMAT_BINARY32, &FORMAT_BINARY16, x, y, 3, 1).ulp == 0x1p-10);
}

static void one_bit_of_what_was_computed_is_one_error(void **state)
{
    (void)state;
    seed_random(6);
    struct trial trial =
        trial_new(&FORMAT_BINARY32, &FORMAT_BINARY32, (uint64_t[]){30, 20, 30}, of_one_size, of_one_size);
    for (int planted = 0; planted <= 1; planted++) {
        uint64_t errors = 0;
        assert_dots(&trial, 1);
        for (uint64_t i = 0; i < 30; i++)
            for (uint64_t j = 0; j < 30; j++)
                set_number(&FORMAT_BINARY32, trial.computed, &trial.product.computed, i, j,
                           trial.elements[i * 30 + j].nearest);
        const float right = (float)trial.elements[7 * 30 + 11].nearest, wrong = float_from_bits(float_bits(right) ^ 1);
        if (planted)
            set_number(&FORMAT_BINARY32, trial.computed, &trial.product.computed, 7, 11, (double)wrong);
        assert_dots(&trial, 1);
        for (uint64_t e = 0; e < 900; e++)
            errors += fabs(trial.elements[e].error) > trial.elements[e].ulp / 2;
        assert_int_equal(errors, planted);
    }
    trial_free(&trial);
}

static void without_a_computed_product_errors_are_0(void **state)
{
    (void)state;
    struct trial trial = trial_new(&FORMAT_E4M3, &FORMAT_BINARY16, (uint64_t[]){9, 8, 7}, seldom_special, any_finite);
    trial.product.computed.numbers = NULL;
    assert_dots(&trial, 1);
    trial_free(&trial);
}

/* The judge of all tests above. */
static void any_change_of_an_element_is_noticed(void **state)
{
    (void)state;
    seed_random(7);
    struct trial trial = trial_new(&FORMAT_BINARY32, &FORMAT_BINARY32, (uint64_t[]){1, 9, 1}, of_one_size, of_one_size);
    assert_dots(&trial, 1);
    const struct exact_element right = trial.elements[0];
    struct exact_element wrong[6] = {right, right, right, right, right, right};
    wrong[0].kind = EXACT_INF;
    wrong[1].nearest = -right.nearest;
    wrong[2].ulp *= 2;
    wrong[3].abs_above = nextafter(right.abs_above, 0);
    wrong[4].sum_abs_above = nextafter(right.sum_abs_above, INFINITY);
    wrong[5].error = nextafter(right.error, 0);
    for (size_t w = 0; w < COUNT_OF(wrong); w++)
        assert_false(is_the_dot(&trial.product, &wrong[w], 0, 0));
    trial_free(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_the_exact_dot_product),
        cmocka_unit_test(shapes_that_no_tile_divides_are_whole),
        cmocka_unit_test(the_number_of_threads_changes_nothing),
        cmocka_unit_test(counters_hold_as_many_products_as_they_may),
        cmocka_unit_test(the_largest_product_does_not_push_out_the_least),
        cmocka_unit_test(a_carry_goes_through_all_limbs),
        cmocka_unit_test(the_empty_sum_is_0),
        cmocka_unit_test(a_matrix_without_elements_is_read_and_written_nowhere),
        cmocka_unit_test(only_zeros_that_are_all_negative_sum_to_negative_0),
        cmocka_unit_test(an_infinity_times_0_is_a_NaN),
        cmocka_unit_test(products_beyond_the_range_are_finite),
        cmocka_unit_test(what_is_not_exact_has_an_error),
        cmocka_unit_test(every_result_is_rounded_once),
        cmocka_unit_test(one_bit_of_what_was_computed_is_one_error),
        cmocka_unit_test(without_a_computed_product_errors_are_0),
        cmocka_unit_test(any_change_of_an_element_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
