/* Worst on random data beside worst on attacked data, of series that were made by hand. */
#include "reports/attacked/attacked.h"

#include "src/base/fp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- two methods on random data, on data of a fixed formula, and on attacked data ---- */

enum { RANDOM, FIXED, ATTACKED, ENTRIES };

static struct spec_record specs[ENTRIES] = {
    {.text = "uniform:n=64"}, {.text = "swamp:n=64"}, {.text = "attacked:n=64"}};
static struct entry_record entries[ENTRIES] = {{.specs = &specs[0], .spec_count = 1, .trials = 10},
                                               {.specs = &specs[1], .spec_count = 1, .trials = 1, .permuted = true},
                                               {.specs = &specs[2], .spec_count = 1, .trials = 10}};
static struct method_record methods[] = {{.id = "plain/serial"}, {.id = "kahan/serial"}};

static struct series series_of(const char *method, size_t entry, double ulp)
{
    struct series series = {.entry = entry,
                            .method = method,
                            .data = specs[entry].text,
                            .format = &FORMAT_BINARY32,
                            .backend = BACKEND_OF(replay),
                            .count = 10,
                            .classes = {[CLASS_FINITE] = 10},
                            .not_nearest = 10,
                            .worst_ulp_error = ulp};
    series.statistics[METRIC_ulp_error].max = ulp;
    series.statistics[METRIC_relative_error].max = ulp * 0x1p-24;
    series.statistics[METRIC_bound_ratio].max = ulp / 64;
    for (int m = 0; m < METRICS; m++)
        series.defined[m] = 10;
    return series;
}

static struct attacked attacked_of(struct series *series, size_t count)
{
    specs[ATTACKED].attacked = true;
    const struct results results = {
        .study = {.methods = methods, .method_count = 2, .entries = entries, .entry_count = ENTRIES},
        .series = series,
        .series_count = count};
    struct attacked attacked;
    attacked_make(&results, &attacked);
    return attacked;
}

static void expect_sentences(const struct attacked *attacked, struct target target, const char *expected)
{
    char *sentences = attacked_sentences(attacked, &target);
    assert_string_equal(sentences, expected);
    free(sentences);
}

static const struct target no_target, two_ulp = {"2ulp", METRIC_ulp_error, 2, NULL};

#define NONE "no limit of 1 ulp, 4 ulp or the target is kept on random data alone\n"

/* ---- tests ---- */

static void a_method_needs_random_and_attacked_data(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", RANDOM, 0.75), series_of("plain/serial", FIXED, 3),
                              series_of("kahan/serial", FIXED, 1), series_of("kahan/serial", ATTACKED, 2)};
    struct attacked attacked = attacked_of(series, 4);
    assert_int_equal(attacked.count, 0);
    expect_sentences(&attacked, no_target, "");
    attacked_free(&attacked);
    series[1].entry = ATTACKED; /* the twin */
    attacked = attacked_of(series, 4);
    assert_int_equal(attacked.count, 1);
    attacked_free(&attacked);
}

static void the_worst_of_each_stand_side_by_side(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", RANDOM, 0.5), series_of("plain/serial", RANDOM, 0.75),
                              series_of("plain/serial", FIXED, 30), series_of("plain/serial", ATTACKED, 1.5),
                              series_of("plain/serial", ATTACKED, 1)};
    struct attacked attacked = attacked_of(series, 5);
    struct grid grid = attacked_grid(&attacked);
    assert_int_equal(grid.rows, 2);
    assert_string_equal(grid_text(&grid, 1, 0), "plain/serial");
    assert_string_equal(grid_text(&grid, 1, 2), "0.750");
    assert_string_equal(grid_text(&grid, 1, 3), "1.50");
    assert_string_equal(grid_text(&grid, 1, 4), "2.00");
    assert_string_equal(grid_text(&grid, 1, 5), "1.18 %");
    assert_string_equal(grid_text(&grid, 1, 6), "2.35 %");
    assert_string_equal(grid_text(&grid, 1, 7), "2.00");
    assert_string_equal(grid_text(&grid, 1, 8), "attacked:n=64");
    grid_free(&grid);
    attacked_free(&attacked);
}

static void the_least_limit_that_random_data_alone_keep_is_named(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", RANDOM, 0.75), series_of("plain/serial", ATTACKED, 5)};
    struct attacked attacked = attacked_of(series, 2);
    expect_sentences(&attacked, no_target,
                     "plain/serial: within 1 ulp on random data alone; 5.00 ulp on attacked:n=64\n");
    attacked_free(&attacked);
    series[0] = series_of("plain/serial", RANDOM, 1.75);
    attacked = attacked_of(series, 2);
    expect_sentences(&attacked, no_target,
                     "plain/serial: within 4 ulp on random data alone; 5.00 ulp on attacked:n=64\n");
    expect_sentences(&attacked, two_ulp,
                     "plain/serial: within 2 ulp on random data alone; 5.00 ulp on attacked:n=64\n");
    attacked_free(&attacked);
}

/* The twin. */
static void a_limit_that_both_keep_or_neither_is_not_named(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", RANDOM, 0.75), series_of("plain/serial", ATTACKED, 0.875)};
    struct attacked attacked = attacked_of(series, 2);
    expect_sentences(&attacked, two_ulp, NONE);
    attacked_free(&attacked);
    series[0] = series_of("plain/serial", RANDOM, 50);
    series[1] = series_of("plain/serial", ATTACKED, 70);
    attacked = attacked_of(series, 2);
    expect_sentences(&attacked, two_ulp, NONE);
    attacked_free(&attacked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_needs_random_and_attacked_data),
        cmocka_unit_test(the_worst_of_each_stand_side_by_side),
        cmocka_unit_test(the_least_limit_that_random_data_alone_keep_is_named),
        cmocka_unit_test(a_limit_that_both_keep_or_neither_is_not_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
