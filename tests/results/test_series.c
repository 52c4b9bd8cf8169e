/* Rows become series: what is counted of them that limits are held to. */
#include "src/results/collector.h"

#include "src/base/fp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

/* ---- a study of one method on one spec; its rows by hand ---- */

struct row {
    uint64_t trial, repeat;
    double computed;
    const char *exact;
    float nearest;
    enum result_class class;
    double bound;
};

static struct stored stored_of(const struct row *row)
{
    struct stored stored = {.result = {
                                .format = &FORMAT_BINARY32,
                                .weight = 1,
                                .n = 4,
                                .launch = {1, 1},
                                .trial = row->trial,
                                .repeat = row->repeat,
                                .computed = row->computed,
                                .computed_bits = float_bits((float)row->computed),
                                .exact = row->exact,
                                .nearest_bits = float_bits(row->nearest),
                                .class = row->class,
                                .bound = row->bound,
                                .probabilistic_bound = NAN,
                            }};
    stored.result.metrics[METRIC_relative_error] = row->class == CLASS_FINITE ? 0x1p-24 : 0;
    return stored;
}

/* The one series of some rows; what is allocated of it is freed. */
static struct series series_of(const struct row *rows, size_t count)
{
    struct method_record method = {.id = "kahan/serial", .accumulator = "kahan"};
    struct launch launch = {1, 1};
    struct spec_record spec = {.text = "x.csv", .arguments = "-d x.csv"};
    struct entry_record entry = {.trials = count, .specs = &spec, .spec_count = 1};
    struct results results = {.study = {.methods = &method,
                                        .method_count = 1,
                                        .launches = &launch,
                                        .launch_count = 1,
                                        .entries = &entry,
                                        .entry_count = 1,
                                        .repeats = 1}};
    struct collector *collector = collector_start(&results);
    assert_non_null(collector);
    for (size_t i = 0; i < count; i++) {
        const struct stored stored = stored_of(&rows[i]);
        assert_int_equal(collector_take(collector, &stored), OK);
    }
    assert_int_equal(collector_end(collector), OK);
    collector_free(collector);
    assert_int_equal(results.series_count, 1);
    const struct series series = results.series[0];
    free((char *)series.worst_exact);
    free(series.worst_command);
    free(results.series);
    free(results.reproducibility);
    return series;
}

#define SERIES(...)                                                                                                    \
    series_of((const struct row[]){__VA_ARGS__}, sizeof(const struct row[]){__VA_ARGS__} / sizeof(struct row))

/* ---- what is counted ---- */

static void a_sum_is_the_nearest_by_its_bits(void **state)
{
    (void)state;
    static const struct row nearest = {0, 0, 1, "0x1p+0", 1, CLASS_EXACT, 1},
                            beside = {0, 0, 1, "0x1p+0", 2, CLASS_EXACT, 1},
                            zero = {0, 0, -0.0, "0x0p+0", 0, CLASS_EXACT, 1},
                            tiny = {0, 0, 0x1p-149, "0x0p+0", 0, CLASS_ZERO_SUM, 1},
                            right_nan = {0, 0, NAN, "nan", NAN, CLASS_NAN, 1},
                            nan = {0, 0, NAN, "0x1p+0", 1, CLASS_NAN, 1};
    assert_int_equal(SERIES(nearest).not_nearest, 0);
    assert_int_equal(SERIES(beside).not_nearest, 1); /* whatever its class says */
    assert_int_equal(SERIES(zero).not_nearest, 0);
    assert_int_equal(SERIES(tiny).not_nearest, 1);
    assert_int_equal(SERIES(right_nan).not_nearest, 0);
    assert_int_equal(SERIES(nan).not_nearest, 1);
}

static void the_spread_is_that_of_one_data_set_in_ulp(void **state)
{
    (void)state;
    static const struct row one = {0, 0, 1, "0x1.000001p+0", 1, CLASS_FINITE, 1},
                            above = {0, 1, 1 + 0x1p-23, "0x1.000001p+0", 1, CLASS_FINITE, 1},
                            below = {0, 2, 1 - 0x1p-24, "0x1.000001p+0", 1, CLASS_FINITE, 1},
                            other = {1, 0, 4, "0x1p+2", 4, CLASS_EXACT, 1},
                            nan = {1, 1, NAN, "0x1p+2", 4, CLASS_NAN, 1};
    assert_true(SERIES(one, above, below).spread == 1.5);
    assert_true(SERIES(one, other).spread == 0); /* of two data sets */
    assert_true(isnan(SERIES(one, other, nan).spread));
    assert_true(isnan(SERIES(one, above, other, nan).spread));
    assert_int_equal(SERIES(one, above, below).distinct_bits, 3);
}

static void data_sets_that_are_summed_again_are_counted(void **state)
{
    (void)state;
    static const struct row first = {0, 0, 1, "0x1p+0", 1, CLASS_EXACT, 1},
                            again = {0, 1, 1, "0x1p+0", 1, CLASS_EXACT, 1},
                            second = {1, 0, 1, "0x1p+0", 1, CLASS_EXACT, 1},
                            second_again = {1, 1, 1, "0x1p+0", 1, CLASS_EXACT, 1};
    assert_int_equal(SERIES(first, second).repeated, 0);
    assert_int_equal(SERIES(first, again, second).repeated, 1);
    assert_int_equal(SERIES(first, again, second, second_again).repeated, 2);
}

static void the_largest_bound_is_in_ulp_of_its_own_sum(void **state)
{
    (void)state;
    static const struct row one = {0, 0, 1, "0x1p+0", 1, CLASS_EXACT, 0x1p-20},     /* 8 ulp */
        large = {1, 0, 0x1p+20, "0x1p+20", 0x1p+20, CLASS_EXACT, 0.25},             /* 2 ulp */
        subnormal = {2, 0, 0x1p-140, "0x1p-140", 0x1p-140f, CLASS_EXACT, 0x1p-145}, /* 16 ulp */
        zero = {3, 0, 0, "0x0p+0", 0, CLASS_EXACT, 0x1p-144},                       /* 32 ulp */
        unbounded = {4, 0, 1, "0x1p+0", 1, CLASS_EXACT, INFINITY};
    assert_true(SERIES(one).ulp_bound == 8);
    assert_true(SERIES(one, large).ulp_bound == 8);
    assert_true(SERIES(large).ulp_bound == 2);
    assert_true(SERIES(one, subnormal).ulp_bound == 16);
    assert_true(SERIES(one, subnormal, zero).ulp_bound == 32);
    assert_true(SERIES(one, unbounded).ulp_bound == 8);
    assert_true(isnan(SERIES(unbounded).ulp_bound));
}

static void rows_without_an_error_are_not_counted_among_those_with_one(void **state)
{
    (void)state;
    static const struct row fine = {0, 0, 1, "0x1p+0", 1, CLASS_EXACT, 1},
                            zero_sum = {1, 0, 1, "0x0p+0", 0, CLASS_ZERO_SUM, 1},
                            unbounded = {2, 0, 1, "0x1p+0", 1, CLASS_EXACT, INFINITY},
                            right_nan = {3, 0, NAN, "nan", NAN, CLASS_NAN, 1},
                            nan = {4, 0, NAN, "0x1p+0", 1, CLASS_NAN, 1};
    const struct series series = SERIES(fine, zero_sum, unbounded, right_nan, nan);
    assert_int_equal(series.count, 5);
    assert_int_equal(series.defined[METRIC_ulp_error], 4);
    assert_int_equal(series.defined[METRIC_relative_error], 3);
    assert_int_equal(series.defined[METRIC_bound_ratio], 3);
    assert_int_equal(series.right_nonfinite, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_is_the_nearest_by_its_bits),
        cmocka_unit_test(the_spread_is_that_of_one_data_set_in_ulp),
        cmocka_unit_test(data_sets_that_are_summed_again_are_counted),
        cmocka_unit_test(the_largest_bound_is_in_ulp_of_its_own_sum),
        cmocka_unit_test(rows_without_an_error_are_not_counted_among_those_with_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
