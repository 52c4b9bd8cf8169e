/* A rule and a series: who passes, who fails, and what is said; each with a twin that goes the other way. */
#include "src/gate/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run by hand: one series of 100 sums, whose errors are 1 ulp at most ---- */

static struct series kahan_on_uniform(void)
{
    struct series series = {
        .method = "kahan/serial",
        .data = "uniform:n=1024",
        .n = 1024,
        .format = &FORMAT_BINARY32,
        .backend = BACKEND_OF(replay),
        .device = "host",
        .launch = {120, 256},
        .count = 100,
        .classes = {[CLASS_FINITE] = 100},
        .not_nearest = 3,
        .distinct_bits = 1,
        .repeated = 100,
        .relative_bound = 0x1p-20,
        .ulp_bound = 8,
        .bits_hash = "aa",
    };
    for (int m = 0; m < METRICS; m++) {
        series.defined[m] = 100;
        series.statistics[m] =
            (struct statistics){.min = 0, .p50 = 0.25, .p90 = 0.5, .p99 = 0.75, .max = 1, .mean = 0.3};
    }
    series.statistics[METRIC_bound_ratio] = (struct statistics){.p50 = 0.1, .p99 = 0.2, .max = 0.5, .mean = 0.125};
    return series;
}

static struct rule rule_of(int metric, enum gate_statistic statistic, enum limit_kind kind, double number)
{
    return (struct rule){.method = "*",
                         .data = "*",
                         .metric = metric,
                         .statistic = statistic,
                         .limit = {.kind = kind, .number = number, .text = "L"},
                         .line = 4};
}

/* What one rule says of one series; `baseline` and `allowance` may be NULL. */
struct judged_rule {
    enum status status;
    enum verdict verdict;
    double value, limit;
    char said[512];
    bool passes, has_allowance, is_of_study;
};

static const struct date today = {"2026-11-21"};

static struct judged_rule judge(struct series series, struct rule rule, const struct baseline *baseline,
                                struct allowance *allowance)
{
    struct method_record methods[] = {
        {.id = (char *)series.method,
         .accumulator = "kahan",
         .determinism = strstr(series.method, "atomic") ? ORDER_OF_ARRIVAL : DETERMINISTIC}};
    const struct results results = {.study = {.seed = 1, .repeats = 1, .methods = methods, .method_count = 1},
                                    .series = &series,
                                    .series_count = 1};
    const struct limits limits = {.path = "limits.yaml",
                                  .rules = &rule,
                                  .rule_count = 1,
                                  .allowances = allowance,
                                  .allowance_count = allowance ? 1 : 0};
    struct check check = {.results = &results, .limits = &limits, .baseline = baseline, .today = today};
    struct judged_rule judged = {.status = check_make(&check)};
    judged.passes = check_passes(&check);
    if (check.count > 0) {
        const struct finding *finding = &check.findings[0];
        judged.verdict = finding->verdict;
        judged.value = finding->value;
        judged.limit = finding->limit;
        judged.has_allowance = finding->allowance;
        judged.is_of_study = finding_is_of_study(finding);
        snprintf(judged.said, sizeof judged.said, "%s", finding->said);
    }
    check_free(&check);
    return judged;
}

static enum verdict verdict_of(struct series series, struct rule rule)
{
    return judge(series, rule, NULL, NULL).verdict;
}

/* ---- numbers ---- */

static void a_value_at_its_limit_passes(void **state)
{
    (void)state;
    const struct judged_rule at =
        judge(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 1), NULL, NULL);
    assert_int_equal(at.verdict, VERDICT_PASSED);
    assert_true(at.passes && at.value == 1 && at.limit == 1);
    const struct judged_rule above =
        judge(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, nextafter(1, 0)), NULL, NULL);
    assert_int_equal(above.verdict, VERDICT_FAILED);
    assert_false(above.passes);
}

static void each_statistic_is_its_own(void **state)
{
    (void)state;
    static const double values[] = {[GATE_MAX] = 1, [GATE_P99] = 0.75, [GATE_P50] = 0.25, [GATE_MEAN] = 0.3};
    for (enum gate_statistic statistic = 0; statistic < GATE_COUNT; statistic++) {
        const double value = values[statistic];
        assert_int_equal(verdict_of(kahan_on_uniform(), rule_of(METRIC_relative_error, statistic, LIMIT_NUMBER, value)),
                         VERDICT_PASSED);
        assert_int_equal(verdict_of(kahan_on_uniform(),
                                    rule_of(METRIC_relative_error, statistic, LIMIT_NUMBER, nextafter(value, 0))),
                         VERDICT_FAILED);
    }
}

static void a_count_has_a_least(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_COUNT, LIMIT_LEAST, 100)),
                     VERDICT_PASSED);
    assert_int_equal(verdict_of(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_COUNT, LIMIT_LEAST, 101)),
                     VERDICT_FAILED);
    assert_int_equal(verdict_of(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_COUNT, LIMIT_NUMBER, 99)),
                     VERDICT_FAILED);
    struct series series = kahan_on_uniform();
    series.defined[METRIC_ulp_error] = 60; /* of the 100 sums */
    assert_int_equal(verdict_of(series, rule_of(METRIC_ulp_error, GATE_COUNT, LIMIT_LEAST, 60)), VERDICT_PASSED);
    assert_int_equal(verdict_of(series, rule_of(METRIC_ulp_error, GATE_COUNT, LIMIT_LEAST, 61)), VERDICT_FAILED);
}

static void nan_never_passes(void **state)
{
    (void)state;
    for (int metric = 0; metric < METRICS; metric++)
        for (enum gate_statistic statistic = 0; statistic < GATE_COUNT; statistic++) {
            struct series series = kahan_on_uniform();
            series.statistics[metric] = (struct statistics){NAN, NAN, NAN, NAN, NAN, NAN};
            assert_int_equal(verdict_of(series, rule_of(metric, statistic, LIMIT_NUMBER, INFINITY)), VERDICT_FAILED);
        }
    struct series series = kahan_on_uniform();
    series.spread = NAN;
    assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, LIMIT_NUMBER, INFINITY)), VERDICT_FAILED);
    assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, LIMIT_AUTO, 1)), VERDICT_FAILED);
}

static void a_limit_that_is_nan_holds_nothing_back_and_nothing_through(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, NAN)),
                     VERDICT_FAILED);
}

static void wrong_nonfinite_sums_are_counted(void **state)
{
    (void)state;
    struct series series = kahan_on_uniform();
    series.classes[CLASS_NAN] = 2;
    series.classes[CLASS_OVERFLOW] = 1;
    series.right_nonfinite = 2;
    const struct rule rule = rule_of(GATE_NONFINITE, GATE_COUNT, LIMIT_NUMBER, 0);
    struct rule of_value = rule;
    of_value.statistic = GATE_MAX;
    assert_true(gate_value(&series, GATE_NONFINITE, GATE_MAX) == 1);
    assert_int_equal(verdict_of(series, of_value), VERDICT_FAILED);
    series.right_nonfinite = 3;
    series.classes[CLASS_OUT_OF_RANGE] = 7; /* infinite, as s is in the format */
    assert_int_equal(verdict_of(series, of_value), VERDICT_PASSED);
}

static void data_that_are_summed_once_have_no_spread(void **state)
{
    (void)state;
    static const enum limit_kind kinds[] = {LIMIT_NUMBER, LIMIT_AUTO, LIMIT_BOUND};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct series series = kahan_on_uniform();
        assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, kinds[i], 1)), VERDICT_PASSED);
        series.repeated = 1; /* one of the data sets is enough */
        assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, kinds[i], 1)), VERDICT_PASSED);
        series.repeated = 0;
        const struct judged_rule once = judge(series, rule_of(GATE_SPREAD, GATE_MAX, kinds[i], 1), NULL, NULL);
        assert_int_equal(once.verdict, VERDICT_SKIPPED);
        assert_int_equal(once.status, BAD_INPUT); /* the rule holds nothing */
    }
}

/* Garbage where s is 0 has no relative error, and must not be passed over for that. */
static void a_sum_that_is_not_zero_where_s_is_has_an_infinite_relative_error(void **state)
{
    (void)state;
    static const struct {
        enum gate_statistic statistic;
        uint64_t count, most; /* of so many sums, that it passes over */
    } statistics[] = {{GATE_MAX, 100, 0},  {GATE_MEAN, 100, 0}, {GATE_P99, 100, 1},
                      {GATE_P99, 99, 0},   {GATE_P99, 250, 2},  {GATE_P50, 100, 50},
                      {GATE_P50, 150, 75}, {GATE_P50, 3, 1},    {GATE_MAX, 1, 0}};
    for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++) {
        const struct rule rule = rule_of(METRIC_relative_error, statistics[i].statistic, LIMIT_NUMBER, 1000);
        for (uint64_t wrong = 0; wrong <= statistics[i].count; wrong++) {
            struct series series = kahan_on_uniform();
            series.classes[CLASS_ZERO_SUM] = wrong;
            series.defined[METRIC_relative_error] = statistics[i].count - wrong;
            const enum verdict expected = wrong > statistics[i].most ? VERDICT_FAILED : VERDICT_PASSED;
            assert_int_equal(verdict_of(series, rule), expected);
        }
    }
    struct series series = kahan_on_uniform();
    series.classes[CLASS_ZERO_SUM] = 1;
    assert_int_equal(verdict_of(series, rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 1)), VERDICT_PASSED);
    assert_int_equal(verdict_of(series, rule_of(METRIC_relative_error, GATE_COUNT, LIMIT_LEAST, 100)), VERDICT_PASSED);
}

static void one_number_is_enough_to_compare_and_one_nan_to_fail(void **state)
{
    (void)state;
    const struct rule rule = rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 1);
    struct series series = kahan_on_uniform();
    series.defined[METRIC_ulp_error] = 1;
    assert_int_equal(verdict_of(series, rule), VERDICT_PASSED);
    series.defined[METRIC_ulp_error] = 0;
    assert_int_equal(verdict_of(series, rule), VERDICT_SKIPPED);
    series.classes[CLASS_NAN] = 1;
    const struct judged_rule nan = judge(series, rule, NULL, NULL);
    assert_int_equal(nan.verdict, VERDICT_FAILED);
    assert_non_null(strstr(nan.said, "1 of 100 sums are NaN or infinite and should not be"));
}

/* ---- what theory promises ---- */

static void an_error_is_held_to_its_own_bound(void **state)
{
    (void)state;
    const struct judged_rule below =
        judge(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_AUTO, 1), NULL, NULL);
    assert_int_equal(below.verdict, VERDICT_PASSED);
    assert_non_null(strstr(below.said, "ulp_error max 1.00 ulp, 0.500 of its bound"));
    assert_non_null(strstr(below.said, "at most 8.00 ulp"));
    assert_int_equal(verdict_of(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_BOUND, 0.5)),
                     VERDICT_PASSED);
    const struct judged_rule above =
        judge(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_BOUND, 0.49), NULL, NULL);
    assert_int_equal(above.verdict, VERDICT_FAILED);
    assert_null(strstr(above.said, "at most")); /* 3.92 ulp, of another sum, would not say why 1 ulp fails */
    assert_int_equal(verdict_of(kahan_on_uniform(), rule_of(METRIC_bound_ratio, GATE_P99, LIMIT_BOUND, 0.19)),
                     VERDICT_FAILED);
}

static void without_a_bound_there_is_nothing_to_compare(void **state)
{
    (void)state;
    struct series series = kahan_on_uniform();
    series.defined[METRIC_bound_ratio] = 0;
    series.ulp_bound = NAN;
    const struct judged_rule skipped = judge(series, rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_AUTO, 1), NULL, NULL);
    assert_int_equal(skipped.verdict, VERDICT_SKIPPED);
    assert_int_equal(skipped.status, BAD_INPUT); /* the rule holds nothing */
    assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, LIMIT_AUTO, 1)), VERDICT_SKIPPED);
    series.ulp_bound = INFINITY;
    assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, LIMIT_AUTO, 1)), VERDICT_SKIPPED);
}

static void without_a_bound_a_nan_fails_nevertheless(void **state)
{
    (void)state;
    struct series series = kahan_on_uniform();
    series.defined[METRIC_bound_ratio] = 0;
    series.classes[CLASS_NAN] = 1;
    assert_int_equal(verdict_of(series, rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_AUTO, 1)), VERDICT_FAILED);
    assert_int_equal(verdict_of(series, rule_of(METRIC_bound_ratio, GATE_P50, LIMIT_NUMBER, 1)), VERDICT_FAILED);
    series.right_nonfinite = 1;
    assert_int_equal(verdict_of(series, rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_AUTO, 1)), VERDICT_SKIPPED);
}

/* Half of the sums have a bound and are fine; of others none is claimed, and they are NaN: one too many for p50 and
 * p99, of 101 and 51. */
static void beside_numbers_a_nan_without_a_bound_fails(void **state)
{
    (void)state;
    static const uint64_t most[GATE_STATISTICS] = {[GATE_P50] = 50};
    for (enum gate_statistic of = GATE_MAX; of <= GATE_MEAN; of++) {
        struct series series = kahan_on_uniform();
        series.defined[METRIC_bound_ratio] = 50;
        const struct rule rules[] = {rule_of(METRIC_bound_ratio, of, LIMIT_NUMBER, 1),
                                     rule_of(METRIC_bound_ratio, of, LIMIT_AUTO, 1),
                                     rule_of(METRIC_ulp_error, of, LIMIT_BOUND, 1)};
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            series.classes[CLASS_NAN] = most[of];
            assert_int_equal(verdict_of(series, rules[r]), VERDICT_PASSED);
            series.classes[CLASS_NAN] = most[of] + 1;
            assert_int_equal(verdict_of(series, rules[r]), VERDICT_FAILED);
        }
    }
}

static void a_spread_may_be_twice_the_bound(void **state)
{
    (void)state;
    struct series series = kahan_on_uniform();
    series.spread = 16;
    assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, LIMIT_AUTO, 1)), VERDICT_PASSED);
    series.spread = 17;
    assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, LIMIT_AUTO, 1)), VERDICT_FAILED);
    assert_int_equal(verdict_of(series, rule_of(GATE_SPREAD, GATE_MAX, LIMIT_NUMBER, 17)), VERDICT_PASSED);
}

/* ---- bits ---- */

static void one_sum_that_is_not_the_nearest_fails(void **state)
{
    (void)state;
    struct series series = kahan_on_uniform();
    const struct judged_rule three = judge(series, rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_EXACT, 0), NULL, NULL);
    assert_int_equal(three.verdict, VERDICT_FAILED);
    assert_non_null(strstr(three.said, "3 of 100"));
    series.not_nearest = 1;
    assert_int_equal(verdict_of(series, rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_EXACT, 0)), VERDICT_FAILED);
    series.not_nearest = 0;
    assert_int_equal(verdict_of(series, rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_EXACT, 0)), VERDICT_PASSED);
}

/* ---- a baseline of that series ---- */

static struct baseline_series before;

static struct baseline baseline_of_kahan(void)
{
    const struct series series = kahan_on_uniform();
    before = (struct baseline_series){.method = "kahan/serial",
                                      .data = "uniform:n=1024",
                                      .format = &FORMAT_BINARY32,
                                      .backend = BACKEND_OF(replay),
                                      .launch = {120, 256},
                                      .device = "",
                                      .toolkit = "",
                                      .n = 1024,
                                      .trials = 100,
                                      .bits = "aa"};
    for (int m = 0; m < METRICS; m++)
        for (enum gate_statistic s = 0; s < GATE_STATISTICS; s++)
            before.values[m][s] = gate_value(&series, m, s);
    return (struct baseline){.path = "main.json", .seed = 1, .series = &before, .count = 1};
}

static void other_bits_than_the_baseline_fail(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    const struct rule rule = rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_BASELINE, 0);
    struct series series = kahan_on_uniform();
    assert_int_equal(judge(series, rule, &baseline, NULL).verdict, VERDICT_PASSED);
    strcpy(series.bits_hash, "ab");
    assert_int_equal(judge(series, rule, &baseline, NULL).verdict, VERDICT_FAILED);
}

static void several_results_fail_whatever_the_first_were(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    struct series series = kahan_on_uniform();
    series.distinct_bits = 2;
    assert_int_equal(judge(series, rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_BASELINE, 0), &baseline, NULL).verdict,
                     VERDICT_FAILED);
}

static void the_bits_of_an_order_of_arrival_are_no_failure(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    const struct rule rule = rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_BASELINE, 0);
    struct series series = kahan_on_uniform();
    series.method = before.method = "plain/tree_atomic";
    before.backend = series.backend = BACKEND_OF(cuda);
    before.device = "host";
    series.distinct_bits = 5;
    const struct judged_rule judged = judge(series, rule, &baseline, NULL);
    assert_int_equal(judged.verdict, VERDICT_SKIPPED);
    assert_non_null(strstr(judged.said, "its order is that of arrival"));
    series.method = before.method = "kahan/serial"; /* the twin */
    assert_int_equal(judge(series, rule, &baseline, NULL).verdict, VERDICT_FAILED);
}

/* Of a study that lost sums nothing is said of the sums; of sums that became NaN it is. */
static void a_failure_is_about_the_study_or_about_its_sums(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    const struct rule by_baseline = rule_of(METRIC_relative_error, GATE_MAX, LIMIT_BASELINE, 1);
    struct series series = kahan_on_uniform();
    series.defined[METRIC_relative_error] = 99;
    assert_true(judge(series, by_baseline, &baseline, NULL).is_of_study);
    series.classes[CLASS_NAN] = 1;
    assert_false(judge(series, by_baseline, &baseline, NULL).is_of_study);
    assert_true(judge(series, rule_of(METRIC_ulp_error, GATE_COUNT, LIMIT_LEAST, 101), NULL, NULL).is_of_study);
    assert_false(judge(series, rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 0.5), NULL, NULL).is_of_study);
    assert_false(judge(series, rule_of(GATE_NONFINITE, GATE_COUNT, LIMIT_NUMBER, 0), NULL, NULL).is_of_study);
}

static void an_error_may_be_a_multiple_of_the_baseline(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    struct series series = kahan_on_uniform();
    series.statistics[METRIC_ulp_error].max = 1.25;
    assert_int_equal(judge(series, rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_BASELINE, 1.25), &baseline, NULL).verdict,
                     VERDICT_PASSED);
    assert_int_equal(judge(series, rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_BASELINE, 1.125), &baseline, NULL).verdict,
                     VERDICT_FAILED);
}

static void fewer_sums_with_an_error_than_in_the_baseline_fail(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    const struct rule rule = rule_of(METRIC_relative_error, GATE_MAX, LIMIT_BASELINE, 1);
    struct series series = kahan_on_uniform();
    assert_int_equal(judge(series, rule, &baseline, NULL).verdict, VERDICT_PASSED);
    series.defined[METRIC_relative_error] = 99;
    assert_int_equal(judge(series, rule, &baseline, NULL).verdict, VERDICT_FAILED);
    series.defined[METRIC_relative_error] = 0;
    assert_int_equal(judge(series, rule, &baseline, NULL).verdict, VERDICT_FAILED);
    before.values[METRIC_relative_error][GATE_COUNT] = 0; /* nor had the baseline any */
    assert_int_equal(judge(series, rule, &baseline, NULL).verdict, VERDICT_SKIPPED);
}

static void fewer_trials_than_the_baseline_fail(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    struct series series = kahan_on_uniform();
    series.count = 99;
    const struct judged_rule judged =
        judge(series, rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_BASELINE, 0), &baseline, NULL);
    assert_int_equal(judged.verdict, VERDICT_FAILED);
    assert_non_null(strstr(judged.said, "not comparable"));
}

static void a_series_that_is_gone_fails(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    struct series series = kahan_on_uniform();
    series.data = "normal:n=512";
    const struct judged_rule judged =
        judge(series, rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_BASELINE, 0), &baseline, NULL);
    assert_int_equal(judged.verdict, VERDICT_FAILED); /* failures come first; the new one is skipped */
    assert_non_null(strstr(judged.said, "missing"));
}

static void a_series_of_other_data_or_launch_is_another(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct baseline baseline = baseline_of_kahan();
        struct series series = kahan_on_uniform();
        series.data = i == 0 ? "uniform:n=512" : series.data;
        series.launch.threads = i == 1 ? 7 : series.launch.threads;
        const struct judged_rule judged =
            judge(series, rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_BASELINE, 0), &baseline, NULL);
        assert_int_equal(judged.verdict, VERDICT_FAILED);
        assert_non_null(strstr(judged.said, "missing"));
    }
}

static void a_kernel_that_cannot_run_here_is_not_missing(void **state)
{
    (void)state;
    const struct baseline baseline = baseline_of_kahan();
    before.backend = BACKEND_OF(cuda);
    const struct judged_rule judged =
        judge(kahan_on_uniform(), rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_BASELINE, 0), &baseline, NULL);
    assert_int_equal(judged.verdict, VERDICT_SKIPPED);
    assert_int_equal(judged.status, BAD_INPUT); /* and so the rule held nothing */
}

/* ---- what is allowed ---- */

static struct allowance allowance_of(const char *data, int metric, struct date until)
{
    return (struct allowance){
        .method = "kahan*", .data = (char *)data, .metric = metric, .until = until, .why = "known", .line = 9};
}

static void an_allowed_failure_passes(void **state)
{
    (void)state;
    const struct rule rule = rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 0.5);
    struct allowance allowance = allowance_of("uniform*", GATE_METRICS, today);
    const struct judged_rule allowed = judge(kahan_on_uniform(), rule, NULL, &allowance);
    assert_int_equal(allowed.verdict, VERDICT_ALLOWED);
    assert_true(allowed.passes && allowed.has_allowance);
    struct allowance of_other_data = allowance_of("normal*", GATE_METRICS, today);
    assert_int_equal(judge(kahan_on_uniform(), rule, NULL, &of_other_data).verdict, VERDICT_FAILED);
    struct allowance of_other_metric = allowance_of("*", METRIC_relative_error, today);
    assert_int_equal(judge(kahan_on_uniform(), rule, NULL, &of_other_metric).verdict, VERDICT_FAILED);
}

static void an_expired_allowance_fails_by_itself(void **state)
{
    (void)state;
    struct allowance allowance = allowance_of("*", GATE_METRICS, (struct date){"2026-11-20"});
    const struct judged_rule broken =
        judge(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 0.5), NULL, &allowance);
    assert_int_equal(broken.verdict, VERDICT_FAILED);
    assert_true(broken.has_allowance);
    const struct judged_rule held =
        judge(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 1), NULL, &allowance);
    assert_int_equal(held.verdict, VERDICT_PASSED);
    assert_false(held.passes);
    allowance.until = today;
    assert_true(
        judge(kahan_on_uniform(), rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 1), NULL, &allowance).passes);
}

/* ---- what was not measured ---- */

static bool is_complete(struct series series, uint64_t trials, uint64_t repeats, uint64_t cases)
{
    struct entry_record entry = {.trials = trials};
    const struct results results = {
        .study = {.entries = &entry, .entry_count = 1, .repeats = repeats, .cases = 100},
        .cases = cases,
        .series = &series,
        .series_count = 1,
    };
    struct rule rule = rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 1);
    const struct limits limits = {.path = "limits.yaml", .rules = &rule, .rule_count = 1};
    struct check check = {.results = &results, .limits = &limits, .today = today};
    assert_int_equal(check_make(&check), OK);
    assert_true(check_passes(&check));
    const bool complete = check_is_complete(&check);
    check_free(&check);
    return complete;
}

static void a_run_is_complete_when_every_series_has_its_sums(void **state)
{
    (void)state;
    struct series series = kahan_on_uniform();
    assert_true(is_complete(series, 100, 1, 100));
    assert_true(is_complete(series, 100, 7, 100)); /* a replay is not repeated */
    assert_false(is_complete(series, 101, 1, 100));
    assert_false(is_complete(series, 100, 1, 99));
    series.backend = BACKEND_OF(cuda);
    assert_true(is_complete(series, 50, 2, 100));
    assert_false(is_complete(series, 100, 2, 100));
}

/* ---- kernels beside their replays ---- */

static void a_kernel_that_differs_from_its_replay_fails(void **state)
{
    (void)state;
    struct check check = {.kernels_compared = 100};
    assert_true(check_passes(&check));
    check.kernels_differ = 1;
    assert_false(check_passes(&check));
}

/* ---- whom a rule is about ---- */

static void a_rule_that_matches_nothing_is_an_error(void **state)
{
    (void)state;
    struct rule rule = rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 1);
    rule.method = "kahn/*";
    assert_int_equal(judge(kahan_on_uniform(), rule, NULL, NULL).status, BAD_INPUT);
    rule.method = "kahan/*";
    assert_int_equal(judge(kahan_on_uniform(), rule, NULL, NULL).status, OK);
}

static void a_value_is_said_in_the_unit_of_its_limit(void **state)
{
    (void)state;
    struct rule rule = rule_of(METRIC_relative_error, GATE_MAX, LIMIT_NUMBER, 0x1p-20);
    assert_non_null(strstr(judge(kahan_on_uniform(), rule, NULL, NULL).said, "relative_error max 1.00, limit"));
    rule.limit.unit = "%", rule.limit.parts = 100;
    const struct judged_rule judged = judge(kahan_on_uniform(), rule, NULL, NULL);
    assert_non_null(strstr(judged.said, "relative_error max 100 %, limit"));
    assert_true(judged.value == 1); /* for scripts, as it was */
}

static void a_failure_below_the_largest_bound_does_not_name_it(void **state)
{
    (void)state;
    struct series series = kahan_on_uniform(); /* its largest error is 1 ulp, half of the bound of that sum */
    struct rule rule = rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_BOUND, 0.25);
    assert_null(strstr(judge(series, rule, NULL, NULL).said, "at most")); /* a quarter of 8 */
    series.ulp_bound = 2;
    assert_non_null(strstr(judge(series, rule, NULL, NULL).said, "at most 0.500 ulp"));
}

static void a_failure_of_the_study_is_none_of_the_sums(void **state)
{
    (void)state;
    const struct rule least = rule_of(METRIC_ulp_error, GATE_COUNT, LIMIT_LEAST, 200),
                      bits = rule_of(GATE_BITS, GATE_MAX, LIMIT_SAME_BASELINE, 0),
                      error = rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 0.5);
    struct series series = kahan_on_uniform();
    assert_true(finding_is_of_study(&(struct finding){.rule = &least, .series = &series, .value = 100, .limit = 200}));
    assert_true(finding_is_of_study(&(struct finding){.rule = &bits, .series = &series, .value = NAN, .limit = NAN}));
    assert_false(finding_is_of_study(&(struct finding){.rule = &bits, .series = &series, .value = 1, .limit = 0}));
    assert_false(finding_is_of_study(&(struct finding){.rule = &error, .series = &series, .value = NAN, .limit = 0.5}));
}

static void a_rule_names_method_data_and_backend(void **state)
{
    (void)state;
    struct rule rule = rule_of(METRIC_ulp_error, GATE_MAX, LIMIT_NUMBER, 1);
    assert_true(rule_matches(&rule, "kahan/serial", "uniform:n=1024", BACKEND_OF(replay)));
    rule.backend = BACKEND_OF(cuda);
    assert_false(rule_matches(&rule, "kahan/serial", "uniform:n=1024", BACKEND_OF(replay)));
    rule = (struct rule){.method = "kahan/tree*", .data = "uniform*"};
    assert_true(rule_matches(&rule, "kahan/tree_two_pass", "uniform:n=1024", BACKEND_OF(replay)));
    assert_false(rule_matches(&rule, "kahan/serial", "uniform:n=1024", BACKEND_OF(replay)));
    assert_false(rule_matches(&rule, "kahan/tree_two_pass", "normal:n=1024", BACKEND_OF(replay)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_at_its_limit_passes),
        cmocka_unit_test(each_statistic_is_its_own),
        cmocka_unit_test(a_count_has_a_least),
        cmocka_unit_test(nan_never_passes),
        cmocka_unit_test(a_limit_that_is_nan_holds_nothing_back_and_nothing_through),
        cmocka_unit_test(wrong_nonfinite_sums_are_counted),
        cmocka_unit_test(a_sum_that_is_not_zero_where_s_is_has_an_infinite_relative_error),
        cmocka_unit_test(one_number_is_enough_to_compare_and_one_nan_to_fail),
        cmocka_unit_test(data_that_are_summed_once_have_no_spread),
        cmocka_unit_test(an_error_is_held_to_its_own_bound),
        cmocka_unit_test(without_a_bound_there_is_nothing_to_compare),
        cmocka_unit_test(without_a_bound_a_nan_fails_nevertheless),
        cmocka_unit_test(beside_numbers_a_nan_without_a_bound_fails),
        cmocka_unit_test(a_spread_may_be_twice_the_bound),
        cmocka_unit_test(one_sum_that_is_not_the_nearest_fails),
        cmocka_unit_test(other_bits_than_the_baseline_fail),
        cmocka_unit_test(several_results_fail_whatever_the_first_were),
        cmocka_unit_test(the_bits_of_an_order_of_arrival_are_no_failure),
        cmocka_unit_test(a_failure_is_about_the_study_or_about_its_sums),
        cmocka_unit_test(an_error_may_be_a_multiple_of_the_baseline),
        cmocka_unit_test(fewer_sums_with_an_error_than_in_the_baseline_fail),
        cmocka_unit_test(fewer_trials_than_the_baseline_fail),
        cmocka_unit_test(a_series_that_is_gone_fails),
        cmocka_unit_test(a_series_of_other_data_or_launch_is_another),
        cmocka_unit_test(a_kernel_that_cannot_run_here_is_not_missing),
        cmocka_unit_test(an_allowed_failure_passes),
        cmocka_unit_test(an_expired_allowance_fails_by_itself),
        cmocka_unit_test(a_run_is_complete_when_every_series_has_its_sums),
        cmocka_unit_test(a_kernel_that_differs_from_its_replay_fails),
        cmocka_unit_test(a_rule_that_matches_nothing_is_an_error),
        cmocka_unit_test(a_value_is_said_in_the_unit_of_its_limit),
        cmocka_unit_test(a_failure_below_the_largest_bound_does_not_name_it),
        cmocka_unit_test(a_failure_of_the_study_is_none_of_the_sums),
        cmocka_unit_test(a_rule_names_method_data_and_backend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
