/* Many results as few rows: what is counted stays exact, what is ordered is never too small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/base/format.h"
#include "src/measure/condense.h"
#include "src/measure/histogram.h"
#include "src/measure/statistics.h"
#include "tests/support/random.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 20000 };

/* A result of the sum 1, `ulps` beside it. */
static struct measured rounded_result(uint64_t repeat, double ulps)
{
    struct measured row = {.repeat = repeat, .weight = 1, .computed = 1 + ulps * 0x1p-23};
    row.computed_bits = format_bits(&FORMAT_BINARY32, row.computed);
    row.class = ulps == 0 ? CLASS_EXACT : CLASS_FINITE;
    row.metrics[METRIC_abs_error] = row.metrics[METRIC_relative_error] = fabs(row.computed - 1);
    row.metrics[METRIC_ulp_error] = fabs(ulps);
    return row;
}

static struct measured *results_within(uint64_t range)
{
    struct measured *rows = malloc(MANY * sizeof *rows);
    assert_non_null(rows);
    seed_random(range);
    for (uint64_t i = 0; i < MANY; i++)
        rows[i] = rounded_result(i, (double)below(2 * range + 1) - (double)range);
    return rows;
}

/* All errors are of one binade, and the largest sum is far from the largest error. */
static struct measured *results_of_one_binade(void)
{
    struct measured *rows = malloc(MANY * sizeof *rows);
    assert_non_null(rows);
    seed_random(1);
    for (uint64_t i = 0; i < MANY; i++)
        rows[i] = rounded_result(i, i % 2 ? 0x1p19 + (double)below(100000) : -0x1p19 - (double)below(400000));
    return rows;
}

/* ---- what is asked of rows ---- */

struct asked {
    uint64_t count, exact;
    struct histogram histogram;
    struct statistics errors;
    double least, largest;
};

static struct asked ask(const struct measured *rows, size_t count)
{
    struct asked asked = {.least = INFINITY, .largest = -INFINITY};
    double *errors = malloc(count * sizeof *errors);
    uint64_t *weights = malloc(count * sizeof *weights);
    assert_true(errors && weights);
    for (size_t i = 0; i < count; i++) {
        asked.count += rows[i].weight;
        asked.exact += rows[i].class == CLASS_EXACT ? rows[i].weight : 0;
        histogram_count(&asked.histogram, ERROR_DEFINED, rows[i].metrics[METRIC_relative_error], rows[i].weight);
        errors[i] = rows[i].metrics[METRIC_ulp_error];
        weights[i] = rows[i].weight;
        asked.least = fmin(asked.least, rows[i].computed);
        asked.largest = fmax(asked.largest, rows[i].computed);
    }
    asked.errors = statistics_of(errors, weights, count);
    free(errors);
    free(weights);
    return asked;
}

static void assert_counts_and_extremes_are_the_same(const struct asked *all, const struct asked *few)
{
    assert_int_equal(few->count, all->count);
    assert_int_equal(few->exact, all->exact);
    assert_memory_equal(&few->histogram, &all->histogram, sizeof all->histogram);
    assert_true(few->errors.min == all->errors.min && few->errors.max == all->errors.max);
    assert_true(few->least == all->least && few->largest == all->largest);
}

/* ---- facts ---- */

static void few_results_are_left_alone(void **state)
{
    (void)state;
    struct measured *rows = results_within(3);
    assert_int_equal(condense_rows(rows, ROWS_KEPT), ROWS_KEPT);
    for (size_t i = 0; i < ROWS_KEPT; i++)
        assert_true(rows[i].repeat == i && rows[i].weight == 1);
    assert_int_equal(condense_rows(rows, ROWS_KEPT + 1), 7); /* the twin */
    free(rows);
}

static void equal_results_lose_nothing(void **state)
{
    (void)state;
    struct measured *rows = results_within(3);
    const struct asked all = ask(rows, MANY);
    const size_t count = condense_rows(rows, MANY);
    const struct asked few = ask(rows, count);
    assert_int_equal(count, 7); /* -3 to 3 ulps */
    assert_counts_and_extremes_are_the_same(&all, &few);
    assert_memory_equal(&few.errors, &all.errors, sizeof all.errors);
    for (size_t i = 1; i < count; i++)
        assert_true(rows[i - 1].repeat < rows[i].repeat);
    free(rows);
}

static void different_results_are_never_told_to_be_better(void **state)
{
    (void)state;
    struct measured *rows = results_within(1000000);
    const struct asked all = ask(rows, MANY);
    const size_t count = condense_rows(rows, MANY);
    const struct asked few = ask(rows, count);
    const double exactly[] = {all.errors.p50, all.errors.p90, all.errors.p99, all.errors.mean};
    const double about[] = {few.errors.p50, few.errors.p90, few.errors.p99, few.errors.mean};
    assert_true(count < 40);
    assert_counts_and_extremes_are_the_same(&all, &few);
    for (int i = 0; i < 4; i++)
        assert_true(about[i] >= exactly[i] && about[i] < 2 * exactly[i]);
    free(rows);
}

static void extremes_stay_though_a_row_stands_for_their_binade(void **state)
{
    (void)state;
    struct measured *rows = results_of_one_binade();
    const struct asked all = ask(rows, MANY);
    const size_t count = condense_rows(rows, MANY);
    const struct asked few = ask(rows, count);
    assert_int_equal(count, 4); /* three extremes, and one for the rest */
    assert_counts_and_extremes_are_the_same(&all, &few);
    free(rows);
}

static void classes_without_a_binade_stay_apart(void **state)
{
    (void)state;
    struct measured *rows = results_of_one_binade();
    for (size_t i = 0; i < 10; i++) {
        rows[i].computed = rows[i].metrics[METRIC_abs_error] = rows[i].metrics[METRIC_relative_error] = NAN;
        rows[i].computed_bits = 0x7fc00000 + i; /* ten NaNs, so that they are not one row already */
        rows[i].class = i < 5 ? CLASS_NAN : CLASS_OVERFLOW;
    }
    double largest = 0, largest_kept = 0;
    for (size_t i = 0; i < MANY; i++)
        largest = fmax(largest, rows[i].computed);
    const size_t count = condense_rows(rows, MANY);
    uint64_t nans = 0, overflows = 0;
    for (size_t i = 0; i < count; i++) {
        largest_kept = fmax(largest_kept, rows[i].computed);
        nans += rows[i].class == CLASS_NAN ? rows[i].weight : 0;
        overflows += rows[i].class == CLASS_OVERFLOW ? rows[i].weight : 0;
    }
    assert_int_equal(nans, 5);
    assert_int_equal(overflows, 5);
    assert_true(largest_kept == largest);
    free(rows);
}

static void each_row_that_is_left_is_a_result(void **state)
{
    (void)state;
    struct measured *rows = results_within(1000000), *before = malloc(MANY * sizeof *before);
    assert_non_null(before);
    memcpy(before, rows, MANY * sizeof *before);
    const size_t count = condense_rows(rows, MANY);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].computed_bits, before[rows[i].repeat].computed_bits);
        assert_true(rows[i].metrics[METRIC_ulp_error] == before[rows[i].repeat].metrics[METRIC_ulp_error]);
    }
    free(rows);
    free(before);
}

static void no_number_is_apart_and_the_worst(void **state)
{
    (void)state;
    struct measured *rows = results_within(1000000);
    for (size_t i = 5; i < 12; i++) {
        rows[i].computed = rows[i].metrics[METRIC_abs_error] = NAN;
        rows[i].metrics[METRIC_relative_error] = rows[i].metrics[METRIC_ulp_error] = NAN;
        rows[i].computed_bits = 0x7fc00000;
        rows[i].class = CLASS_NAN;
    }
    const size_t count = condense_rows(rows, MANY);
    uint64_t nans = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        nans += rows[i].class == CLASS_NAN ? rows[i].weight : 0;
        all += rows[i].weight;
    }
    assert_int_equal(nans, 7);
    assert_int_equal(all, MANY);
    free(rows);
}

/* ---- statistics of values that occur several times ---- */

static void weights_count_as_repetitions(void **state)
{
    (void)state;
    enum { MOST = 60 };
    size_t otherwise = 0;
    for (uint64_t round = 0; round < 300; round++) {
        double values[MOST], list[MOST * 9], few[MOST];
        uint64_t weights[MOST];
        size_t listed = 0;
        seed_random(round);
        const size_t count = 1 + below(MOST - 1);
        for (size_t i = 0; i < count; i++) {
            values[i] = few[i] = below(20) == 0 ? NAN : (double)below(50) / 3;
            weights[i] = 1 + below(9);
            for (uint64_t w = 0; w < weights[i]; w++)
                list[listed++] = values[i];
        }
        const struct statistics weighted = statistics_of(values, weights, count);
        const struct statistics repeated = statistics_of(list, NULL, listed),
                                unweighted = statistics_of(few, NULL, count);
        assert_true(same_double(weighted.min, repeated.min) && same_double(weighted.max, repeated.max));
        assert_true(same_double(weighted.p50, repeated.p50) && same_double(weighted.p90, repeated.p90));
        assert_true(same_double(weighted.p99, repeated.p99) && same_double(weighted.mean, repeated.mean));
        otherwise += !same_double(weighted.mean, unweighted.mean);
    }
    assert_true(otherwise > 50); /* the twin */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_results_are_left_alone),
        cmocka_unit_test(equal_results_lose_nothing),
        cmocka_unit_test(different_results_are_never_told_to_be_better),
        cmocka_unit_test(extremes_stay_though_a_row_stands_for_their_binade),
        cmocka_unit_test(classes_without_a_binade_stay_apart),
        cmocka_unit_test(each_row_that_is_left_is_a_result),
        cmocka_unit_test(no_number_is_apart_and_the_worst),
        cmocka_unit_test(weights_count_as_repetitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
