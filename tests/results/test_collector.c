/* Rows by hand, and what the collector makes of them: what counts, what is defined, who is worst, which bits are told
 * apart.  And results: permutations and speeds. */
#include "src/base/fp.h"
#include "src/results/collector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/made_run.h"

/* ---- a study of one entry with two specs, two methods and two launches ---- */

static struct spec_record specs[] = {{"uniform:n=3", "uniform:n=3", "uniform", "-d uniform:n=3", false},
                                     {"uniform:n=4", "uniform:n=4", "uniform", "-d uniform:n=4", false}};
static struct entry_record entry = {.text = "uniform:n=3..4*2", .trials = 2, .specs = specs, .spec_count = 2};
static struct method_record methods[] = {{.id = "plain/serial", .accumulator = "plain", .slow_above = 1 << 24},
                                         {.id = "kahan/serial", .accumulator = "kahan", .slow_above = 1 << 24}};
static struct launch launches[] = {{1, 32}, {2, 64}};
static struct provenance_fact facts[] = {{"device", "name", "GPU One"}, {"device", "option", "cuda:0"}};

/* What the first method at the first launch gave for the first spec: 1.5, 2 ulp beside s = 1.25, half of its bound. */
static struct stored row_of(uint64_t trial)
{
    struct stored row = {.result = {.format = &FORMAT_BINARY32,
                                    .weight = 1,
                                    .n = 3,
                                    .seed = 1,
                                    .trial = trial,
                                    .launch = {1, 32},
                                    .computed = 1.5,
                                    .computed_bits = float_bits(1.5f),
                                    .exact = "0x1.4p+0",
                                    .digest = "",
                                    .map = "",
                                    .nearest_bits = float_bits(1.25f),
                                    .condition = 1,
                                    .bound = 0.5,
                                    .probabilistic_bound = 0.25,
                                    .class = CLASS_FINITE,
                                    .height = 3}};
    for (int m = 0; m < METRICS; m++)
        row.result.metrics[m] = 0.5;
    row.result.metrics[METRIC_ulp_error] = 2;
    return row;
}

static void set_result(struct stored *row, float computed, const char *exact, enum result_class class)
{
    row->result.computed = (double)computed;
    row->result.computed_bits = float_bits(computed);
    row->result.exact = exact;
    row->result.class = class;
}

/* Caller frees with forget(). */
static struct results collected(const struct stored *rows, size_t count)
{
    struct results results = {.study = {.methods = methods,
                                        .method_count = 2,
                                        .launches = launches,
                                        .launch_count = 2,
                                        .entries = &entry,
                                        .entry_count = 1,
                                        .seed = 1,
                                        .repeats = 1},
                              .facts = facts,
                              .fact_count = 2};
    struct collector *collector = collector_start(&results);
    assert_non_null(collector);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(collector_take(collector, &rows[i]), OK);
    assert_int_equal(collector_end(collector), OK);
    collector_free(collector);
    return results;
}

static void forget(struct results *results)
{
    for (size_t i = 0; i < results->series_count; i++)
        series_free(&results->series[i]);
    free(results->series);
    free(results->reproducibility);
}

/* The series of one row. */
static struct series series_of(struct stored row)
{
    struct results results = collected(&row, 1);
    assert_int_equal(results.series_count, 1);
    const struct series series = results.series[0];
    forget(&results);
    return series;
}

/* ---- what is defined ---- */

static void a_finite_sum_has_every_error(void **state)
{
    (void)state;
    const struct series series = series_of(row_of(0));
    for (int m = 0; m < METRICS; m++)
        assert_int_equal(series.defined[m], 1);
    assert_true(series.statistics[METRIC_ulp_error].max == 2 && series.statistics[METRIC_relative_error].max == 0.5);
    assert_int_equal(series.histogram.bin[-1 - HISTOGRAM_LEAST], 1);
    assert_int_equal(series.right_nonfinite, 0);
    assert_int_equal(series.not_nearest, 1);
}

static enum status status_of(double relative_error)
{
    struct stored row = row_of(0);
    struct results results = {
        .study = {.methods = methods, .method_count = 2, .launches = launches, .launch_count = 2}};
    results.study.entries = &entry;
    results.study.entry_count = 1;
    row.result.metrics[METRIC_relative_error] = relative_error;
    struct collector *collector = collector_start(&results);
    assert_non_null(collector);
    const enum status status = collector_take(collector, &row);
    collector_free(collector);
    forget(&results);
    return status;
}

static void every_relative_error_of_binary64_is_taken(void **state)
{
    (void)state;
    const double errors[] = {0, 0x1p-1074, 0x1p-1022, 0x1p-401, 1, 0x1.fffffffffffffp+1023, INFINITY};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        assert_int_equal(status_of(errors[i]), OK);
    assert_int_equal(status_of(-0x1p-1074), BAD_INPUT); /* the twin */
    assert_int_equal(status_of(NAN), BAD_INPUT);
}

static void a_nan_that_is_right_has_no_error(void **state)
{
    (void)state;
    struct stored row = row_of(0);
    set_result(&row, NAN, "nan", CLASS_NAN);
    const struct series right = series_of(row);
    assert_int_equal(right.right_nonfinite, 1);
    assert_int_equal(right.defined[METRIC_ulp_error], 0);
    assert_int_equal(right.not_nearest, 0);
    set_result(&row, NAN, "0x1p+0", CLASS_NAN); /* the twin: of numbers */
    const struct series wrong = series_of(row);
    assert_int_equal(wrong.right_nonfinite, 0);
    assert_int_equal(wrong.defined[METRIC_ulp_error], 1);
    assert_int_equal(wrong.not_nearest, 1);
    set_result(&row, 1, "nan", CLASS_NAN); /* and a number where the sum is NaN */
    assert_int_equal(series_of(row).right_nonfinite, 0);
}

static void only_the_infinity_that_ieee_gives_is_right(void **state)
{
    (void)state;
    struct stored row = row_of(0);
    row.result.nearest_bits = float_bits(INFINITY);
    set_result(&row, INFINITY, "inf", CLASS_INF);
    const struct series right = series_of(row);
    assert_int_equal(right.right_nonfinite, 1);
    assert_int_equal(right.not_nearest, 0);
    assert_int_equal(right.histogram.nonfinite, 1);
    set_result(&row, -INFINITY, "inf", CLASS_INF);
    const struct series other = series_of(row);
    assert_int_equal(other.right_nonfinite, 0);
    assert_int_equal(other.not_nearest, 1);
}

static void an_overflow_is_in_no_bin_and_not_the_nearest(void **state)
{
    (void)state;
    struct stored row = row_of(0);
    set_result(&row, INFINITY, "0x1.4p+0", CLASS_OVERFLOW);
    row.result.metrics[METRIC_relative_error] = 0.5; /* as if it had one */
    const struct series series = series_of(row);
    assert_int_equal(series.histogram.nonfinite, 1);
    assert_int_equal(series.histogram.bin[-1 - HISTOGRAM_LEAST], 0);
    assert_int_equal(series.not_nearest, 1);
    assert_int_equal(series.right_nonfinite, 0);
}

static void a_sum_of_zero_has_no_relative_error(void **state)
{
    (void)state;
    struct stored row = row_of(0);
    set_result(&row, 1.5f, "0x0p+0", CLASS_ZERO_SUM);
    const struct series series = series_of(row);
    assert_int_equal(series.defined[METRIC_relative_error], 0);
    assert_int_equal(series.defined[METRIC_ulp_error], 1);
    assert_int_equal(series.histogram.undefined, 1);
}

static void a_bound_that_is_not_claimed_has_no_share(void **state)
{
    (void)state;
    struct stored row = row_of(0);
    row.result.bound = row.result.probabilistic_bound = INFINITY;
    const struct series series = series_of(row);
    assert_int_equal(series.defined[METRIC_bound_ratio], 0);
    assert_true(isnan(series.ulp_bound) && isnan(series.relative_bound) && isnan(series.relative_probabilistic_bound));
}

/* ---- over the rows of a series ---- */

static void bounds_are_the_largest_in_ulps_and_of_s(void **state)
{
    (void)state;
    struct stored rows[] = {row_of(0), row_of(1), row_of(2)};
    rows[1].result.bound = 1;
    rows[1].result.probabilistic_bound = 0.75;
    struct results results = collected(rows, 3);
    assert_int_equal(results.series_count, 1);
    assert_true(results.series[0].ulp_bound == 0x1p23); /* 1 in ulps of 1.25 */
    assert_true(results.series[0].relative_bound == 0.8 && results.series[0].relative_probabilistic_bound == 0.6);
    forget(&results);
}

/* 1.5 2^-1074 is 2^-1073 in binary64: a share of that would be too small. */
static void no_bound_is_a_share_of_a_sum_that_binary64_lacks(void **state)
{
    (void)state;
    struct stored row = row_of(0);
    row.result.format = &FORMAT_BINARY64;
    row.result.exact = "0x1.8p-1074";
    row.result.bound = 0x1p-1074;
    assert_true(isnan(series_of(row).relative_bound) && series_of(row).ulp_bound == 1);
    row.result.exact = "0x1p-1022"; /* the twin */
    assert_true(series_of(row).relative_bound == 0x1p-52);
}

static struct stored repeat_of(uint64_t trial, uint64_t repeat, int ulps)
{
    struct stored row = row_of(trial);
    row.backend = BACKEND_cuda;
    row.result.repeat = repeat;
    set_result(&row, 1.5f + (float)ulps * 0x1p-23f, "0x1.4p+0", CLASS_FINITE);
    return row;
}

static void a_spread_from_end_to_end_is_a_number(void **state)
{
    (void)state;
    struct stored rows[] = {repeat_of(0, 0, 0), repeat_of(0, 1, 0)};
    for (int i = 0; i < 2; i++) {
        rows[i].result.format = &FORMAT_BINARY64;
        rows[i].result.exact = "0x1p+1023";
        rows[i].result.computed = i == 0 ? 0x1.8p1023 : -0x1.8p1023;
        rows[i].result.computed_bits = double_bits(rows[i].result.computed);
    }
    struct results results = collected(rows, 2);
    assert_true(results.series[0].spread == 0x1.8p53);
    forget(&results);
}

static void ulp_of_zero_and_of_subnormals_is_the_least_number(void **state)
{
    (void)state;
    static const char *const exact[] = {"0x0p+0", "-0x0p+0", "0x1p-149", "-0x1.8p-140", "0x1.fp-126"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        struct stored row = row_of(0);
        row.result.exact = exact[i];
        row.result.bound = 0x1p-148;
        assert_true(series_of(row).ulp_bound == 2);
    }
    struct stored above = row_of(0); /* the twin: the ulp of 2^-125 is twice as large */
    above.result.exact = "0x1p-125";
    above.result.bound = 0x1p-148;
    assert_true(series_of(above).ulp_bound == 1);
}

static void the_first_of_the_worst_is_the_witness(void **state)
{
    (void)state;
    struct stored rows[] = {row_of(0), row_of(1), row_of(2), row_of(3)};
    rows[1].result.metrics[METRIC_ulp_error] = rows[2].result.metrics[METRIC_ulp_error] = 3;
    struct results results = collected(rows, 4);
    assert_int_equal(results.series[0].worst_trial, 1);
    assert_true(results.series[0].worst_ulp_error == 3);
    forget(&results);
    rows[2].result.metrics[METRIC_ulp_error] = NAN;
    results = collected(rows, 4);
    assert_int_equal(results.series[0].worst_trial, 2);
    forget(&results);
}

static void the_hash_tells_trials_repeats_and_every_bit(void **state)
{
    (void)state;
    const struct stored row = row_of(0);
    struct stored others[] = {row, row, row, row};
    others[0].result.trial = 1;
    others[1].result.repeat = 1;
    others[2].result.computed_bits ^= 1;
    others[3].result.computed_bits ^= UINT32_C(1) << 31;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_string_not_equal(series_of(row).bits_hash, series_of(others[i]).bits_hash);
    assert_string_equal(series_of(row).bits_hash, series_of(row_of(0)).bits_hash);
}

static void every_nan_is_the_same(void **state)
{
    (void)state;
    struct stored row = row_of(0), other;
    set_result(&row, NAN, "nan", CLASS_NAN);
    other = row;
    other.result.computed_bits ^= 1; /* of the payload */
    assert_string_equal(series_of(row).bits_hash, series_of(other).bits_hash);
}

static void a_series_knows_nothing_of_the_spec_before(void **state)
{
    (void)state;
    struct stored rows[] = {row_of(0), row_of(1), row_of(0)};
    rows[2].spec = 1;
    rows[2].result.metrics[METRIC_ulp_error] = 1;
    struct results results = collected(rows, 3);
    assert_int_equal(results.series_count, 2);
    assert_int_equal(results.series[0].count, 2);
    assert_int_equal(results.series[1].count, 1);
    assert_string_equal(results.series[1].data, "uniform:n=4");
    assert_true(results.series[1].statistics[METRIC_ulp_error].max == 1);
    forget(&results);
}

/* ---- results of one data set ---- */

/* Repeats of a kernel: results beside 1.5 in ulps of 1.25. */
static void the_spread_is_that_of_the_data_set_with_most(void **state)
{
    (void)state;
    const struct stored rows[] = {repeat_of(0, 0, 5), repeat_of(0, 1, 0),  repeat_of(0, 2, 5),
                                  repeat_of(1, 0, 9), repeat_of(1, 1, 10), repeat_of(1, 2, 11)};
    struct results results = collected(rows, 6);
    assert_true(results.series[0].spread == 5); /* and not the 11 between the two */
    assert_int_equal(results.series[0].distinct_bits, 3);
    const struct spread *repeats = &results.reproducibility[2].repeats; /* of plain/serial as a kernel */
    assert_true(repeats->sets == 2 && repeats->differing == 2 && repeats->most == 3);
    forget(&results);
}

static void equal_results_in_any_order_are_few(void **state)
{
    (void)state;
    const struct stored rows[] = {repeat_of(0, 0, 1), repeat_of(0, 1, 0), repeat_of(0, 2, 1), repeat_of(0, 3, 0)};
    struct results results = collected(rows, 4);
    assert_int_equal(results.series[0].distinct_bits, 2);
    forget(&results);
}

static void a_nan_among_results_spoils_their_spread(void **state)
{
    (void)state;
    struct stored rows[] = {repeat_of(0, 0, 1), repeat_of(0, 1, 0), repeat_of(1, 0, 0), repeat_of(1, 1, 0)};
    set_result(&rows[1], NAN, "0x1.4p+0", CLASS_NAN);
    struct results results = collected(rows, 4);
    assert_true(isnan(results.series[0].spread));
    forget(&results);
}

static void one_sum_of_a_data_set_says_nothing_of_repeats_and_launches(void **state)
{
    (void)state;
    struct stored rows[] = {row_of(0), row_of(1)};
    struct results results = collected(rows, 2);
    assert_int_equal(results.reproducibility[0].repeats.sets, 0);
    assert_int_equal(results.reproducibility[0].launches.sets, 0);
    forget(&results);
    rows[1] = row_of(0);
    rows[1].launch = 1;
    rows[1].result.launch = launches[1];
    rows[1].result.computed_bits ^= 1;
    results = collected(rows, 2);
    assert_int_equal(results.reproducibility[0].launches.sets, 1);
    assert_int_equal(results.reproducibility[0].launches.differing, 1);
    assert_int_equal(results.reproducibility[0].repeats.sets, 0);
    forget(&results);
}

/* The same numbers in two orders, summed by a kernel; as a replay the method was not run. */
static void permutations_of_kernels_are_not_those_of_replays(void **state)
{
    (void)state;
    struct made_run *run = make_run((struct run_recipe){.methods = {"plain/serial"},
                                                        .data = {"uniform:n=100", "uniform:n=100,order=reversed"},
                                                        .trials = 5,
                                                        .backend = BACKEND_cuda});
    assert_int_equal(run->results.reproducibility_count, BACKENDS);
    assert_int_equal(run->results.reproducibility[0].permutations.sets, 0);
    assert_int_equal(run->results.reproducibility[1].permutations.sets, 5);
    assert_true(run->results.reproducibility[1].permutations.differing > 0);
    assert_int_equal(run->results.reproducibility[1].permutations.most, 2);
    free_made_run(run);
}

static float its_repeat(const struct made_sum *call)
{
    return (float)call->repeat;
}

static void repeats_of_a_kernel_are_no_permutations(void **state)
{
    (void)state;
    struct made_run *run = make_run((struct run_recipe){.methods = {"plain/serial"},
                                                        .data = {"uniform:n=100", "uniform:n=100,order=reversed"},
                                                        .trials = 5,
                                                        .repeats = 3,
                                                        .sum = its_repeat});
    assert_int_equal(run->results.reproducibility[0].repeats.differing, 10); /* the twin */
    assert_int_equal(run->results.reproducibility[0].permutations.sets, 5);
    assert_int_equal(run->results.reproducibility[0].permutations.differing, 0);
    free_made_run(run);
    run = make_run(
        (struct run_recipe){.methods = {"plain/serial"}, .data = {"uniform:n=100"}, .trials = 5, .repeats = 3});
    assert_int_equal(run->results.reproducibility[0].permutations.sets, 0);
    free_made_run(run);
}

/* A NaN whose payload comes from the first number. */
static float a_nan_of_its_own(const struct made_sum *call)
{
    const uint32_t bits = UINT32_C(0x7fc00000) | (float_bits(call->x[0]) & 0xffff);
    float nan;
    memcpy(&nan, &bits, sizeof nan);
    return nan;
}

static enum status note_bits(void *context, const struct result_bits *row)
{
    assert_true(row->bits == UINT64_MAX);
    ++*(int *)context;
    return OK;
}

static void every_nan_of_a_permutation_is_the_same(void **state)
{
    (void)state;
    int rows = 0;
    struct made_run *run = make_run((struct run_recipe){.methods = {"plain/serial"},
                                                        .data = {"uniform:n=100", "uniform:n=100,order=reversed"},
                                                        .trials = 5,
                                                        .sum = a_nan_of_its_own});
    assert_int_equal(run->results.reproducibility[0].permutations.sets, 5);
    assert_int_equal(run->results.reproducibility[0].permutations.differing, 0);
    assert_int_equal(store_each_bits(run->store, note_bits, &rows), OK);
    assert_int_equal(rows, 10);
    free_made_run(run);
}

/* ---- speeds ---- */

static void a_speed_is_of_its_method_backend_and_launch(void **state)
{
    (void)state;
    struct speed speeds[] = {{"plain/serial", BACKEND_OF(replay), {1, 32}, 1, 1, 1, 1, 1},
                             {"plain/serial", BACKEND_OF(cuda), {1, 32}, 1, 1, 1, 1, 1},
                             {"plain/serial", BACKEND_OF(cuda), {2, 32}, 1, 1, 1, 1, 1},
                             {"plain/serial", BACKEND_OF(cuda), {1, 64}, 1, 1, 1, 1, 1},
                             {"kahan/serial", BACKEND_OF(cuda), {1, 32}, 1, 1, 1, 1, 1}};
    enum { SPEEDS = sizeof speeds / sizeof *speeds };
    const struct results results = {.speeds = speeds, .speed_count = SPEEDS};
    for (size_t i = 0; i < SPEEDS; i++)
        assert_ptr_equal(results_speed(&results, speeds[i].method, speeds[i].backend, speeds[i].launch), &speeds[i]);
    assert_null(results_speed(&results, "kahan/serial", BACKEND_OF(replay), (struct launch){1, 32}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finite_sum_has_every_error),
        cmocka_unit_test(every_relative_error_of_binary64_is_taken),
        cmocka_unit_test(a_nan_that_is_right_has_no_error),
        cmocka_unit_test(only_the_infinity_that_ieee_gives_is_right),
        cmocka_unit_test(an_overflow_is_in_no_bin_and_not_the_nearest),
        cmocka_unit_test(a_sum_of_zero_has_no_relative_error),
        cmocka_unit_test(a_bound_that_is_not_claimed_has_no_share),
        cmocka_unit_test(bounds_are_the_largest_in_ulps_and_of_s),
        cmocka_unit_test(no_bound_is_a_share_of_a_sum_that_binary64_lacks),
        cmocka_unit_test(a_spread_from_end_to_end_is_a_number),
        cmocka_unit_test(ulp_of_zero_and_of_subnormals_is_the_least_number),
        cmocka_unit_test(the_first_of_the_worst_is_the_witness),
        cmocka_unit_test(the_hash_tells_trials_repeats_and_every_bit),
        cmocka_unit_test(every_nan_is_the_same),
        cmocka_unit_test(a_series_knows_nothing_of_the_spec_before),
        cmocka_unit_test(the_spread_is_that_of_the_data_set_with_most),
        cmocka_unit_test(equal_results_in_any_order_are_few),
        cmocka_unit_test(a_nan_among_results_spoils_their_spread),
        cmocka_unit_test(one_sum_of_a_data_set_says_nothing_of_repeats_and_launches),
        cmocka_unit_test(permutations_of_kernels_are_not_those_of_replays),
        cmocka_unit_test(repeats_of_a_kernel_are_no_permutations),
        cmocka_unit_test(every_nan_of_a_permutation_is_the_same),
        cmocka_unit_test(a_speed_is_of_its_method_backend_and_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
