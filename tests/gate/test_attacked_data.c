/* Limits and attacked data: which failures say that random data alone meet the limit, and when attacked data are
 * advised. */

#include "src/base/fp.h"
#include "src/gate/check.h"
#include "src/gate/findings/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one method on random and on attacked data, and one rule ---- */

enum { RANDOM, FIXED, ATTACKED, ENTRIES };

static struct spec_record specs[ENTRIES] = {
    {.text = "uniform:n=64"}, {.text = "swamp:n=64"}, {.text = "attacked:n=64", .attacked = true}};
static struct entry_record entries[ENTRIES] = {{.specs = &specs[0], .spec_count = 1, .trials = 10},
                                               {.specs = &specs[1], .spec_count = 1, .trials = 10, .permuted = true},
                                               {.specs = &specs[2], .spec_count = 1, .trials = 10}};

static struct series series_of(const char *method, size_t entry, double ulp)
{
    struct series series = {.entry = entry,
                            .method = method,
                            .data = specs[entry].text,
                            .n = 64,
                            .format = &FORMAT_BINARY32,
                            .operation = OPERATION_sum,
                            .backend = BACKEND_OF(replay),
                            .count = 10,
                            .worst_command = (char *)""};
    series.statistics[METRIC_ulp_error].max = ulp;
    series.statistics[METRIC_bound_ratio].max = ulp / 64;
    for (int m = 0; m < METRICS; m++)
        series.defined[m] = 10;
    return series;
}

static struct rule at_most_one_ulp(void)
{
    return (struct rule){.method = "*",
                         .data = "*",
                         .metric = METRIC_ulp_error,
                         .statistic = GATE_MAX,
                         .limit = {.kind = LIMIT_NUMBER, .number = 1, .text = "1ulp"},
                         .line = 3};
}

struct told {
    size_t only_random; /* findings that say so */
    char advice[256];
};

static struct told check_of(struct series *series, size_t count, struct rule rule, bool is_black_box)
{
    struct method_record methods[] = {{.id = "plain/serial", .is_black_box = is_black_box}, {.id = "kahan/serial"}};
    const struct results results = {
        .study = {.methods = methods, .method_count = 2, .entries = entries, .entry_count = ENTRIES, .repeats = 1},
        .series = series,
        .series_count = count};
    const struct limits limits = {.path = "limits.yaml", .rules = &rule, .rule_count = 1};
    struct check check = {.results = &results, .limits = &limits, .today = {"2026-11-21"}};
    struct told told = {0};
    assert_int_equal(check_make(&check), OK);
    for (size_t i = 0; i < check.count; i++)
        if (strstr(check.findings[i].said, "a limit that only random data meet")) {
            assert_true(series_is_attacked(&results, check.findings[i].series));
            told.only_random++;
        }
    char *advice = attacked_data_advice(&check);
    snprintf(told.advice, sizeof told.advice, "%s", advice ? advice : "");
    free(advice);
    check_free(&check);
    return told;
}

/* ---- failures ---- */

static void a_limit_that_random_data_meet_and_attacked_data_break_is_told(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", RANDOM, 0.75), series_of("plain/serial", RANDOM, 1),
                              series_of("plain/serial", FIXED, 7), series_of("plain/serial", ATTACKED, 3)};
    assert_int_equal(check_of(series, 4, at_most_one_ulp(), false).only_random, 1);
}

/* The twins. */
static void a_limit_that_random_data_break_is_not(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", RANDOM, 0.75), series_of("plain/serial", RANDOM, 2),
                              series_of("plain/serial", ATTACKED, 3)};
    assert_int_equal(check_of(series, 3, at_most_one_ulp(), false).only_random, 0);
}

static void without_random_data_nothing_is_said_of_them(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", FIXED, 0.75), series_of("plain/serial", ATTACKED, 3),
                              series_of("kahan/serial", RANDOM, 0.5)};
    assert_int_equal(check_of(series, 3, at_most_one_ulp(), false).only_random, 0);
    series[0].entry = RANDOM;
    assert_int_equal(check_of(series, 3, at_most_one_ulp(), false).only_random, 1);
}

/* ---- advice ---- */

static void a_number_that_random_data_alone_were_held_to_is_advised_on_once(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", RANDOM, 0.75), series_of("kahan/serial", RANDOM, 0.75)};
    const struct told told = check_of(series, 2, at_most_one_ulp(), false);
    assert_string_equal(told.advice,
                        "no attacked data: limits in numbers were held to random data, which seldom meet the worst; "
                        "add attacked:n=64,method=plain/serial to the data");
}

/* The twins. */
static void what_attacked_data_cannot_break_needs_none(void **state)
{
    (void)state;
    struct series series[] = {series_of("plain/serial", RANDOM, 0.75), series_of("plain/serial", ATTACKED, 0.75)};
    struct rule rule = at_most_one_ulp();
    assert_string_equal(check_of(series, 2, rule, false).advice, ""); /* they are there */
    assert_string_equal(check_of(series, 1, rule, true).advice, "");  /* nobody knows its order */
    rule.limit = (struct limit){.kind = LIMIT_AUTO, .number = 1, .text = "auto"};
    assert_string_equal(check_of(series, 1, rule, false).advice, ""); /* a theorem holds on all data */
    rule.limit = (struct limit){.kind = LIMIT_BOUND, .number = 0.5, .text = "bound*0.5"};
    assert_string_not_equal(check_of(series, 1, rule, false).advice, "");
    series[0].entry = FIXED;
    assert_string_equal(check_of(series, 1, at_most_one_ulp(), false).advice, ""); /* it was held to no random data */
    series[0] = series_of("plain/serial", RANDOM, 3);
    assert_string_equal(check_of(series, 1, at_most_one_ulp(), false).advice, ""); /* it fails already */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_that_random_data_meet_and_attacked_data_break_is_told),
        cmocka_unit_test(a_limit_that_random_data_break_is_not),
        cmocka_unit_test(without_random_data_nothing_is_said_of_them),
        cmocka_unit_test(a_number_that_random_data_alone_were_held_to_is_advised_on_once),
        cmocka_unit_test(what_attacked_data_cannot_break_needs_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
