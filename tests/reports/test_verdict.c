/* Who may be used: the cheapest method whose worst sum stays within a limit, and the words for how good sums are. */
#include "reports/page/page_style.h"
#include "reports/spec_labels.h"
#include "reports/speed_text.h"
#include "reports/verdict/verdict.h"
#include "reports/verdict/verdict_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/heard.h"

/* ---- a run by hand: three methods on uniform data, and on data of two conditions ---- */

static char fast[] = "plain/fast", slow[] = "kahan/slow", untimed[] = "plain/untimed", plain[] = "plain", text[] = "x";
static char none[] = "";
static struct method_record methods[] = {
    {fast, plain, text, text, text, &FORMAT_BINARY32, OPERATION_sum, DETERMINISTIC, UINT64_MAX, false, none, none},
    {slow, plain, text, text, text, &FORMAT_BINARY32, OPERATION_sum, DETERMINISTIC, UINT64_MAX, false, none, none},
    {untimed, plain, text, text, text, &FORMAT_BINARY32, OPERATION_sum, DETERMINISTIC, UINT64_MAX, false, none, none},
};
static char uniform_text[] = "uniform:n=1Ki..2Ki*2", first_text[] = "uniform:n=1024", second_text[] = "uniform:n=2048",
            uniform[] = "uniform", gensum_text[] = "gensum:n=64,cond=1e2..1e8*1e6",
            mild_text[] = "gensum:n=64,cond=100", hard_text[] = "gensum:n=64,cond=100000000", gensum[] = "gensum";
static struct spec_record uniform_specs[] = {{first_text, first_text, uniform, text, false},
                                             {second_text, second_text, uniform, text, false}};
static struct spec_record gensum_specs[] = {{mild_text, mild_text, gensum, text, false},
                                            {hard_text, hard_text, gensum, text, false}};
static struct entry_record entries[] = {
    {.text = uniform_text, .specs = uniform_specs, .spec_count = 2, .trials = 10},
    {.text = gensum_text, .specs = gensum_specs, .spec_count = 2, .trials = 10},
};
static struct launch launches[] = {{120, 256}};
static struct speed speeds[] = {{fast, BACKEND_OF(cuda), {120, 256}, 1024, 1, 0.25, 0.3, 16},
                                {slow, BACKEND_OF(cuda), {120, 256}, 1024, 1, 0.5, 0.6, 8}};
static struct series series[24];
static struct results results;
static const struct target no_target = {0};
static struct verdict verdict;

/* 10 sums, the worst `ulps` off. */
static struct series sums(size_t entry, size_t spec, size_t method, double ulps)
{
    struct series one = {
        .entry = entry,
        .method = methods[method].id,
        .data = entries[entry].specs[spec].text,
        .n = 1024,
        .format = &FORMAT_BINARY32,
        .backend = BACKEND_OF(cuda),
        .device = "NVIDIA",
        .launch = {120, 256},
        .count = 10,
        .distinct_bits = 1,
        .median_condition = entry == 0  ? 1
                            : spec == 0 ? 100
                                        : 1e8,
        .worst_ulp_error = ulps,
    };
    one.classes[ulps == 0 ? CLASS_EXACT : CLASS_FINITE] = 10;
    one.statistics[METRIC_ulp_error] = (struct statistics){.p50 = ulps / 4, .max = ulps};
    one.statistics[METRIC_relative_error] = (struct statistics){.p50 = ulps * 0x1p-25, .max = ulps * 0x1p-23};
    one.statistics[METRIC_bound_ratio] = (struct statistics){.max = 0.5};
    return one;
}

/* As other tests may have left it. */
static void as_built(void)
{
    char *const ids[] = {fast, slow, untimed};
    for (size_t m = 0; m < 3; m++)
        methods[m].id = ids[m], methods[m].operation = OPERATION_sum;
    for (size_t i = 0; i < 2; i++) {
        speeds[i].method = ids[i];
        speeds[i].backend = BACKEND_OF(cuda);
    }
}

static int build(void **state)
{
    static const double ulps[4][3] = {{3, 0.5, 0.75}, {2, 0.25, 0.75}, {3.5, 0.75, 0}, {1e9, 6, 4.5}};
    (void)state;
    as_built();
    for (size_t i = 0; i < 12; i++)
        series[i] = sums(i / 6, i / 3 % 2, i % 3, ulps[i / 3][i % 3]);
    results = (struct results){
        .study = {.title = text,
                  .text = text,
                  .methods = methods,
                  .method_count = 3,
                  .launches = launches,
                  .launch_count = 1,
                  .entries = entries,
                  .entry_count = 2,
                  .seed = 1,
                  .repeats = 1,
                  .cases = 40},
        .cases = 40,
        .series = series,
        .series_count = 12,
        .speeds = speeds,
        .speed_count = 2,
    };
    return 0;
}

static int clear(void **state)
{
    (void)state;
    verdict_free(&verdict);
    return 0;
}

static void judge(const struct target *target)
{
    verdict_free(&verdict);
    verdict_make(&results, target, &verdict);
}

/* The same run by replays, with methods that the table of accumulators knows. */
static char serial[] = "plain/serial", kahan[] = "kahan/serial", pairwise[] = "sum2/pairwise_1";

static void replayed(void)
{
    char *const ids[] = {serial, kahan, pairwise};
    for (size_t m = 0; m < 3; m++)
        methods[m].id = ids[m];
    for (size_t i = 0; i < 12; i++) {
        series[i].method = ids[i % 3];
        series[i].backend = BACKEND_OF(replay);
        series[i].device = "host";
    }
    for (size_t i = 0; i < 2; i++) {
        speeds[i].method = ids[i];
        speeds[i].backend = BACKEND_OF(replay);
    }
}

/* Says that each sum of the series has a bound, and the largest. */
static void prove(size_t i, double ulps, double relative)
{
    series[i].defined[METRIC_bound_ratio] = series[i].relatively_bound = series[i].count;
    series[i].ulp_bound = ulps;
    series[i].relative_bound = relative;
}

/* The cheapest on a row; "none". */
static const char *cheapest(size_t row, size_t limit)
{
    const size_t method = verdict_choice(&verdict, row, limit)->cheapest;
    return method == NO_METHOD ? "none" : verdict.methods[method];
}

static const char *cheapest_on_all(size_t limit)
{
    const size_t method = verdict_overall(&verdict, 0, limit)->choice.cheapest;
    return method == NO_METHOD ? "none" : verdict.methods[method];
}

/* ---- rows ---- */

static void specs_of_one_condition_are_one_row(void **state)
{
    (void)state;
    judge(&no_target);
    assert_int_equal(verdict.row_count, 3); /* uniform, and the twin: two conditions of gensum */
    assert_null(verdict.rows[0].data);
    assert_string_equal(verdict.rows[1].data, mild_text);
    assert_string_equal(verdict.rows[2].data, hard_text);
    assert_int_equal(verdict_cell(&verdict, 0, 0)->outcome.count, 20);
    assert_true(verdict_cell(&verdict, 0, 0)->outcome.ulp_error == 3);
    assert_int_equal(verdict_cell(&verdict, 1, 0)->outcome.count, 10);
}

static void conditions_within_one_percent_are_one(void **state)
{
    (void)state;
    for (size_t i = 9; i < 12; i++)
        series[i].median_condition = 100.9;
    judge(&no_target);
    assert_int_equal(verdict.row_count, 2);
    for (size_t i = 9; i < 12; i++)
        series[i].median_condition = 101.1;
    judge(&no_target);
    assert_int_equal(verdict.row_count, 3);
}

static void launches_have_rows_of_their_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        series[12 + i] = series[i];
        series[12 + i].launch.blocks += 1;
    }
    results.series_count = 24;
    judge(&no_target);
    assert_int_equal(verdict.view_count, 2);
    assert_int_equal(verdict.row_count, 6);
    assert_int_equal(verdict_rows_of(&verdict, 1), 3);
    assert_true(verdict_speed(&verdict, 0, 0)->nanoseconds == 0.25);
    assert_null(verdict_speed(&verdict, 1, 0)); /* the speed of another launch is none */
}

static void launches_of_other_threads_have_rows_of_their_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        series[12 + i] = series[i];
        series[12 + i].launch.threads += 1;
    }
    results.series_count = 24;
    judge(&no_target);
    assert_int_equal(verdict.view_count, 2);
    assert_int_equal(verdict_rows_of(&verdict, 1), 3);
}

static void replays_beside_kernels_are_not_judged(void **state)
{
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        series[12 + i] = series[i];
        series[i].backend = BACKEND_OF(replay);
        series[i].device = "host";
    }
    results.series_count = 24;
    judge(&no_target);
    assert_int_equal(verdict.view_count, 1);
    assert_int_equal(verdict.row_count, 3);
    assert_ptr_equal(verdict.views[0].backend, BACKEND_OF(cuda));
    assert_true(verdict_speed(&verdict, 0, 0)->nanoseconds == 0.25);
    speeds[0].backend = BACKEND_OF(replay);
    judge(&no_target);
    assert_null(verdict_speed(&verdict, 0, 0)); /* that of the replay is none */
}

/* fast and slow, timed as said. */
static void judge_speeds(double fast_least, double fast_median, double slow_least, double slow_median)
{
    struct speed before[sizeof speeds / sizeof *speeds];
    memcpy(before, speeds, sizeof speeds);
    speeds[0].nanoseconds = fast_least, speeds[0].median = fast_median;
    speeds[1].nanoseconds = slow_least, speeds[1].median = slow_median;
    judge(&no_target);
    memcpy(speeds, before, sizeof speeds);
}

static void methods_whose_spreads_overlap_are_equally_fast(void **state)
{
    (void)state;
    judge_speeds(1, 1.5, 1.5, 2);
    assert_int_equal(verdict_choice(&verdict, 0, 1)->count, 3);
    assert_int_equal(verdict_choice(&verdict, 0, 1)->alike, 1);
    judge_speeds(1, nextafter(1.5, 1), 1.5, 2); /* the twin */
    assert_int_equal(verdict_choice(&verdict, 0, 1)->alike, 0);
}

static void of_equally_fast_methods_the_fastest_is_named(void **state)
{
    (void)state;
    judge_speeds(1.25, 2, 1, 1.25);
    assert_string_equal(cheapest(0, 1), slow);
    assert_int_equal(verdict_choice(&verdict, 0, 1)->alike, 1);
    judge_speeds(1, 1.25, 1, 1.25); /* the twin: as fast to the bit, and the one whose errors are less */
    assert_string_equal(cheapest(0, 1), slow);
    assert_int_equal(verdict_choice(&verdict, 0, 1)->alike, 1);
}

/* Where nobody stays within on all rows, of those that do on the most. */
static void the_closest_is_the_cheapest_of_those_that_are_as_close(void **state)
{
    (void)state;
    series[11] = sums(1, 1, 2, 9);
    series[10] = sums(1, 1, 1, 9); /* fast and slow meet 4 ulp on two rows each, untimed too */
    judge_speeds(2, 3, 1, 1.5);
    assert_string_equal(cheapest_on_all(1), "none");
    assert_int_equal(verdict_overall(&verdict, 0, 1)->closest_rows, 2);
    assert_string_equal(verdict.methods[verdict_overall(&verdict, 0, 1)->closest], slow);
    judge_speeds(1, 1.5, 2, 3); /* the twin */
    assert_string_equal(verdict.methods[verdict_overall(&verdict, 0, 1)->closest], fast);
}

/* ---- the cheapest ---- */

static void the_cheapest_within_the_limit_is_named(void **state)
{
    (void)state;
    judge(&no_target);
    assert_string_equal(cheapest(0, 0), slow); /* fast is 3 ulp off */
    assert_string_equal(cheapest(0, 1), fast);
    assert_string_equal(cheapest(1, 0), slow);
    assert_string_equal(cheapest(2, 0), "none");
    assert_string_equal(cheapest(2, 1), "none");
    assert_string_equal(cheapest_on_all(1), "none");
    assert_int_equal(verdict_overall(&verdict, 0, 0)->closest_rows, 2);
}

static void a_limit_is_met_exactly_or_not(void **state)
{
    (void)state;
    series[11] = sums(1, 1, 2, 4);
    judge(&no_target);
    assert_string_equal(cheapest(2, 1), untimed);
    series[11] = sums(1, 1, 2, nextafter(4, 5));
    judge(&no_target);
    assert_string_equal(cheapest(2, 1), "none");
}

static void the_target_is_a_third_limit(void **state)
{
    (void)state;
    const struct target six = {"6ulp", METRIC_ulp_error, 6, NULL},
                        relative = {"1e-6", METRIC_relative_error, 1e-6, NULL};
    judge(&six);
    assert_int_equal(verdict.limit_count, 3);
    assert_string_equal(cheapest(2, 2), slow);
    assert_string_equal(cheapest_on_all(2), slow);
    judge(&relative); /* 6 ulp are 7.2e-7 */
    assert_string_equal(cheapest(2, 2), slow);
    judge(&(struct target){"7e-7", METRIC_relative_error, 7e-7, NULL});
    assert_string_equal(cheapest(2, 2), untimed);
}

static void a_target_that_is_a_limit_anyway_is_no_third(void **state)
{
    (void)state;
    judge(&(struct target){"1ulp", METRIC_ulp_error, 1, NULL});
    assert_int_equal(verdict.limit_count, 2);
    judge(&(struct target){"4ulp", METRIC_ulp_error, 4, NULL});
    assert_int_equal(verdict.limit_count, 2);
    judge(&(struct target){"2ulp", METRIC_ulp_error, 2, NULL}); /* the twins */
    assert_int_equal(verdict.limit_count, 3);
    judge(&(struct target){"1", METRIC_relative_error, 1, NULL});
    assert_int_equal(verdict.limit_count, 3);
}

static void a_method_without_a_speed_comes_after_all(void **state)
{
    (void)state;
    judge(&no_target);
    assert_int_equal(verdict_choice(&verdict, 0, 0)->count, 2);
    assert_string_equal(cheapest(0, 0), slow);
    series[1] = sums(0, 0, 1, 5);
    judge(&no_target);
    assert_string_equal(cheapest(0, 0), untimed);
}

static void a_cheaper_method_that_comes_later_is_the_cheapest(void **state)
{
    (void)state;
    judge_speeds(0.75, 0.8, 0.5, 0.6); /* fast is slower than slow now */
    assert_string_equal(cheapest(0, 1), slow);
    judge_speeds(0.75, 0.8, 0.85, 0.9); /* the twin */
    assert_string_equal(cheapest(0, 1), fast);
}

static void speed_is_a_time_on_the_host_and_a_rate_on_a_gpu(void **state)
{
    (void)state;
    static const struct {
        struct speed speed;
        const char *text;
    } lines[] = {
        {{.backend = BACKEND_OF(replay), .nanoseconds = 0.42, .median = 0.42, .gigabytes = 9.5}, "0.42 ns"},
        {{.backend = BACKEND_OF(replay), .nanoseconds = 0.42, .median = 0.5, .gigabytes = 9.5}, "0.42..0.50 ns"},
        {{.backend = BACKEND_OF(cuda), .nanoseconds = 0.4, .median = 0.5, .gigabytes = 9.5}, "7.60..9.50 GB/s"},
        {{.backend = BACKEND_OF(cuda), .nanoseconds = 1, .median = 1.001, .gigabytes = 4371.2}, "4.37 TB/s"},
        {{.backend = BACKEND_OF(cuda), .nanoseconds = 1, .median = 1.25, .gigabytes = 4371.2}, "3.50..4.37 TB/s"},
    };
    char said[SPEED_TEXT];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        speed_text(&lines[i].speed, said);
        assert_string_equal(said, lines[i].text);
    }
    speed_text(NULL, said);
    assert_string_equal(said, "-");
}

/* Nothing is timed: the worst errors of all rows are 1e9, 6 and 4.5; of equal ones the bound is the less, then the name
 * is: never the order of the study. */
static void equal_costs_are_ranked_by_error_bound_and_name(void **state)
{
    (void)state;
    static char last[] = "zzz/last";
    results.speed_count = 0;
    judge(&no_target);
    assert_string_equal(cheapest(0, 1), untimed);
    for (size_t i = 0; i < 12; i++)
        series[i] = sums(i / 6, i / 3 % 2, i % 3, 0.5);
    judge(&no_target);
    assert_string_equal(cheapest(0, 1), slow);                  /* kahan, plain, plain */
    assert_int_equal(verdict_choice(&verdict, 0, 1)->alike, 0); /* of what was not timed nobody knows */
    methods[1].id = last;
    for (size_t i = 0; i < 4; i++)
        series[3 * i + 1].method = last;
    judge(&no_target); /* the twin */
    assert_string_equal(cheapest(0, 1), fast);
    for (size_t i = 0; i < 12; i++)
        prove(i, i % 3 == 2 ? 2 : 3, 1e-6);
    judge(&no_target);
    assert_string_equal(cheapest(0, 1), untimed);
}

/* kahan/serial is timed at 0.5 ns per element and adds 4 times, sum2/pairwise_1 merges, with 8 additions; were it 0.1
 * ns, that would say nothing of a GPU. */
static void on_the_host_additions_are_counted_and_times_are_not(void **state)
{
    (void)state;
    replayed();
    judge(&no_target);
    assert_true(verdict_standing(&verdict, 0, 0)->cost == 1 && verdict_standing(&verdict, 0, 1)->cost == 4 &&
                verdict_standing(&verdict, 0, 2)->cost == 8);
    assert_string_equal(cheapest(0, 0), kahan);
    assert_string_equal(cheapest(0, 1), serial);
    judge_speeds(9, 9.5, 0.1, 0.2); /* whatever they are */
    assert_string_equal(cheapest(0, 1), serial);
    char *sentences = verdict_sentences(&verdict);
    assert_null(strstr(sentences, " ns"));
    assert_null(strstr(sentences, "fast"));
    free(sentences);
    struct grid grid = ranking_grid(&results, &verdict);
    assert_string_equal(grid_text(&grid, 0, 4), "additions");
    assert_string_equal(grid_text(&grid, 1, 4), "4");
    assert_string_equal(grid_text(&grid, 0, 5), "host time");
    grid_free(&grid);
    grid = which_method_grid(&results, &verdict);
    assert_string_equal(grid_word_of(&grid, 1, 3), "4 per number");
    grid_free(&grid);
    methods[0].operation = OPERATION_dot; /* of a dot product, as in its sentence */
    grid = which_method_grid(&results, &verdict);
    assert_string_equal(grid_word_of(&grid, 1, 3), "4 per product");
    grid_free(&grid);
    build(NULL);
    judge_speeds(9, 9.5, 0.1, 0.2); /* the twin: on a GPU they are what counts */
    assert_string_equal(cheapest(0, 1), slow);
    grid = ranking_grid(&results, &verdict);
    assert_string_equal(grid_text(&grid, 0, 5), "speed");
    grid_free(&grid);
}

static void a_method_that_lacks_sums_does_not_qualify(void **state)
{
    (void)state;
    series[4].count = series[4].classes[CLASS_FINITE] = 9;
    judge(&no_target);
    assert_string_equal(cheapest(0, 0), untimed);
    build(NULL);
    memmove(&series[4], &series[5], 7 * sizeof *series); /* no series at all */
    results.series_count = 11;
    judge(&no_target);
    assert_string_equal(cheapest(0, 0), untimed);
}

static void a_wrong_nan_disqualifies_and_a_right_one_does_not(void **state)
{
    (void)state;
    series[1].classes[CLASS_FINITE] = 9;
    series[1].classes[CLASS_NAN] = 1;
    judge(&no_target);
    assert_string_equal(cheapest(0, 0), untimed);
    series[1].right_nonfinite = 1;
    judge(&no_target);
    assert_string_equal(cheapest(0, 0), slow);
}

static void a_sum_that_should_be_0_has_no_relative_error(void **state)
{
    (void)state;
    const struct target relative = {"1e-3", METRIC_relative_error, 1e-3, NULL};
    judge(&relative);
    assert_string_equal(cheapest(0, 2), fast);
    series[0].classes[CLASS_FINITE] = 9;
    series[0].classes[CLASS_ZERO_SUM] = 1;
    judge(&relative);
    assert_string_equal(cheapest(0, 2), slow);
}

/* ---- words ---- */

static void level_is(const struct outcome *outcome, const struct target *target, enum tone tone, const char *expected)
{
    char word[OUTCOME_TEXT];
    assert_int_equal(level_of(outcome, target, word), tone);
    assert_string_equal(word, expected);
}

static struct outcome of_ulps(double ulps)
{
    const struct series one = sums(0, 0, 0, ulps);
    struct outcome outcome = outcome_of_nothing();
    outcome_add(&outcome, &one);
    return outcome;
}

static void a_level_is_the_best_that_the_worst_sum_reaches(void **state)
{
    (void)state;
    static const struct {
        double ulps;
        enum tone tone;
        const char *word;
    } cases[] = {
        {0, TONE_EXACT, "exact"},
        {0.5, TONE_ROUNDED, "correctly rounded"},
        {0.51, TONE_ONE_ULP, "within 1 ulp"},
        {1, TONE_ONE_ULP, "within 1 ulp"},
        {1.01, TONE_FOUR_ULP, "within 4 ulp"},
        {4, TONE_FOUR_ULP, "within 4 ulp"},
        {4.01, TONE_DIGITS, "6 digits"},
        {1e6, TONE_DIGITS, "under 1 digit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct outcome outcome = of_ulps(cases[i].ulps);
        level_is(&outcome, &no_target, cases[i].tone, cases[i].word);
    }
    const struct outcome nothing = outcome_of_nothing();
    level_is(&nothing, &no_target, TONE_PLAIN, "-");
}

/* "2ulp" is in ulps, "1e-6" relative; 2 alone is neither, and nothing reaches 0. */
static void a_target_is_read_by_its_unit(void **state)
{
    (void)state;
    struct target target;
    assert_int_equal(target_read("2ulp", "test", &target), OK);
    assert_int_equal(target.metric, METRIC_ulp_error);
    assert_true(target.limit == 2);
    assert_int_equal(target_read("1e-6", "test", &target), OK);
    assert_int_equal(target.metric, METRIC_relative_error);
    assert_true(target.limit == 1e-6);
    assert_int_equal(target_read("0.1%", "test", &target), OK);
    assert_int_equal(target.metric, METRIC_relative_error);
    assert_true(target.limit == 0.001);
    static const char *const refused[] = {"2",        "1", "100%", "4u",    "1e-6abs", "exact",  "auto", "bound*0.5",
                                          "baseline", "0", "0ulp", "-1ulp", "-1e-6",   "nanulp", "ulp",  ""};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct heard heard = listen_to_stderr();
        const enum status status = target_read(refused[i], "test", &target);
        heard_all(&heard);
        assert_int_equal(status, BAD_INPUT);
    }
}

static void a_target_has_its_place_among_the_levels(void **state)
{
    (void)state;
    const struct target two = {"2ulp", METRIC_ulp_error, 2, NULL},
                        relative = {"1e-3", METRIC_relative_error, 1e-3, NULL};
    const struct outcome good = of_ulps(1), fair = of_ulps(1.5), poor = of_ulps(3), bad = of_ulps(100);
    level_is(&good, &two, TONE_ONE_ULP, "within 1 ulp");
    level_is(&fair, &two, TONE_TARGET, "within target");
    level_is(&poor, &two, TONE_FOUR_ULP, "within 4 ulp");
    level_is(&fair, &relative, TONE_FOUR_ULP, "within 4 ulp");
    level_is(&bad, &relative, TONE_TARGET, "within target");
    level_is(&bad, &no_target, TONE_DIGITS, "4 digits");
}

static void what_ieee_754_gives_is_no_trouble(void **state)
{
    (void)state;
    struct series one = sums(0, 0, 0, NAN);
    struct outcome outcome = outcome_of_nothing(), wrong = outcome_of_nothing();
    char cell[OUTCOME_TEXT];
    memset(one.classes, 0, sizeof one.classes);
    one.classes[CLASS_NAN] = 6;
    one.classes[CLASS_INF] = 4;
    one.right_nonfinite = 10;
    outcome_add(&outcome, &one);
    assert_int_equal(outcome_cell(&outcome, cell), TONE_GOOD);
    assert_string_equal(cell, "as IEEE");
    level_is(&outcome, &no_target, TONE_EXACT, "as IEEE");
    assert_true(outcome_error(&outcome, METRIC_ulp_error) == 0);
    one.right_nonfinite = 9;
    outcome_add(&wrong, &one);
    assert_int_equal(outcome_cell(&wrong, cell), TONE_BAD);
    assert_string_equal(cell, "nan");
    level_is(&wrong, &no_target, TONE_NO_DIGIT, "nan");
    assert_true(isnan(outcome_error(&wrong, METRIC_ulp_error)));
}

/* ---- tables and sentences ---- */

static void rows_are_called_briefly_while_they_stay_apart(void **state)
{
    (void)state;
    static const char *const brief[] = {"uniform", "gensum cond=1e2", "gensum cond=1e8"};
    char **labels;
    judge(&no_target);
    labels = verdict_labels(&results, &verdict);
    for (size_t r = 0; r < 3; r++)
        assert_string_equal(labels[r], brief[r]);
    verdict_labels_free(&verdict, labels);
    uniform_specs[0].family = gensum; /* the twin: two entries of one family */
    for (size_t i = 6; i < 12; i++)
        series[i].median_condition = 100, series[i].data = mild_text;
    judge(&no_target);
    labels = verdict_labels(&results, &verdict);
    assert_string_equal(labels[0], uniform_text);
    assert_string_equal(labels[1], gensum_text);
    verdict_labels_free(&verdict, labels);
    uniform_specs[0].family = uniform;
}

static void the_table_names_the_cheapest_and_its_cost(void **state)
{
    (void)state;
    judge(&no_target);
    struct grid grid = which_method_grid(&results, &verdict);
    assert_string_equal(grid_text(&grid, 0, 2), "sums");
    assert_string_equal(grid_text(&grid, 1, 2), "20");
    assert_string_equal(grid_text(&grid, 0, 3), "within 1 ulp");
    assert_string_equal(grid_text(&grid, 1, 3), slow);
    assert_string_equal(grid_word_of(&grid, 1, 3), "6.67..8.00 GB/s");
    assert_string_equal(grid_text(&grid, 0, 4), "within 1 ulp, by proof");
    assert_string_equal(grid_text(&grid, 1, 4), "none");
    assert_string_equal(grid_text(&grid, 3, 3), "none");
    assert_string_equal(grid_word_of(&grid, 3, 3), "");
    assert_int_equal(grid_cell(&grid, 3, 3)->tone, TONE_BAD);
    grid_free(&grid);
}

/* ---- what is proven ---- */

static const char *proven(size_t row, size_t limit)
{
    const size_t method = verdict_proven(&verdict, row, limit);
    return method == NO_METHOD ? "none" : verdict.methods[method];
}

static void the_cheapest_by_proof_has_its_bound_within_the_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++)
        prove(i, i % 3 == 0 ? 37 : i % 3 == 1 ? 1 : 0.5, 1e-6);
    judge(&no_target);
    assert_string_equal(cheapest(0, 1), fast);
    assert_string_equal(proven(0, 1), slow);
    assert_string_equal(proven(0, 0), slow); /* 1 ulp is within 1 ulp */
    assert_string_equal(proven(1, 0), "none");
    prove(1, nextafter(1, 2), 1e-6); /* the twin: on one of the two data sets of the row */
    judge(&no_target);
    assert_string_equal(proven(0, 0), untimed);
    assert_string_equal(proven(0, 1), slow);
    judge(&(struct target){"1e-6", METRIC_relative_error, 1e-6, NULL});
    assert_string_equal(proven(0, 2), fast);
    judge(&(struct target){"9e-7", METRIC_relative_error, 9e-7, NULL}); /* the twin */
    assert_string_equal(proven(0, 2), "none");
    for (size_t i = 0; i < 6; i++)
        series[i].relatively_bound--; /* one sum is 0 */
    judge(&(struct target){"1e-6", METRIC_relative_error, 1e-6, NULL});
    assert_string_equal(proven(0, 2), "none");
}

static void a_sum_without_a_bound_leaves_nothing_proven(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++)
        prove(i, 1, 1e-7);
    series[4].defined[METRIC_bound_ratio]--;
    judge(&no_target);
    assert_true(isnan(verdict_cell(&verdict, 0, 1)->ulp_bound));
    assert_string_equal(proven(0, 0), untimed); /* the twin: all of its sums have one; fast exceeds its own */
    for (size_t i = 0; i < 6; i++)
        prove(i, i % 3 == 1 ? 1 : 5, 1e-7);
    series[4].defined[METRIC_bound_ratio]--;
    judge(&no_target);
    assert_string_equal(proven(0, 0), "none");
}

static void a_bound_that_is_exceeded_proves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++)
        prove(i, i % 3 == 1 ? 1 : 5, 1e-7);
    judge(&no_target);
    assert_string_equal(proven(0, 0), slow); /* the twin: every sum is within its own */
    series[4].statistics[METRIC_bound_ratio].max = nextafter(1, 2);
    judge(&no_target);
    assert_string_equal(cheapest(0, 0), slow);
    assert_string_equal(proven(0, 0), "none");
    assert_true(isnan(verdict_cell(&verdict, 0, 1)->relative_bound));
}

static void sentences_are(const char *expected)
{
    char *sentences = verdict_sentences(&verdict);
    assert_string_equal(sentences, expected);
    free(sentences);
}

static void sentences_name_the_cheapest(void **state)
{
    (void)state;
    for (size_t i = 9; i < 12; i++)
        series[i] = sums(1, 1, i - 9, 0.75);
    judge(&no_target);
    sentences_are("Within 1 ulp on all 40 sums of 3 data sets: kahan/slow, 6.67..8.00 GB/s; 1 other qualifies.\n"
                  "Proven for it: nothing that holds for all of them; within 1 ulp by proof: no method.\n");
    results.speed_count = 0; /* the twin */
    judge(&no_target);
    sentences_are("Within 1 ulp on all 40 sums of 3 data sets: kahan/slow, not timed; 1 other qualifies.\n"
                  "Proven for it: nothing that holds for all of them; within 1 ulp by proof: no method.\n");
    replayed();
    judge(&no_target);
    sentences_are(
        "Within 1 ulp on all 40 sums of 3 data sets: kahan/serial, 4 additions per number; 1 other qualifies.\n"
        "Proven for it: nothing that holds for all of them; within 1 ulp by proof: no method.\n");
    series[2] = sums(0, 0, 2, 2);
    series[2].method = pairwise, series[2].backend = BACKEND_OF(replay), series[2].device = "host";
    judge(&no_target);
    sentences_are("Within 1 ulp on all 40 sums of 3 data sets: only kahan/serial, 4 additions per number.\n"
                  "Proven for it: nothing that holds for all of them; within 1 ulp by proof: no method.\n");
}

static void sentences_say_how_many_others_are_as_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < 12; i++)
        series[i] = sums(i / 6, i / 3 % 2, i % 3, 0.5), prove(i, 0.75, 1e-6);
    static char same[] = "kahan/strided_serial";
    replayed();
    methods[2].id = same;
    for (size_t i = 0; i < 4; i++)
        series[3 * i] = sums(i / 2, i % 2, 0, 5), series[3 * i].backend = BACKEND_OF(replay),
                   series[3 * i].device = "host", series[3 * i + 2].method = same;
    judge(&no_target);
    sentences_are(
        "Within 1 ulp on all 40 sums of 3 data sets: kahan/serial, 4 additions per number; 1 other qualifies, 1 "
        "of them equal in all that is counted.\nProven for it: at most 0.750 ulp.\n");
    prove(2, 0.875, 1e-6); /* the twin */
    judge(&no_target);
    sentences_are("Within 1 ulp on all 40 sums of 3 data sets: kahan/serial, 4 additions per number; 1 other "
                  "qualifies.\nProven for it: at most 0.750 ulp.\n");
}

/* What was measured and what is proven are two statements, whatever the bound. */
static void what_is_proven_is_a_sentence_of_its_own(void **state)
{
    (void)state;
    static const struct {
        double of_fast, of_slow;
        const char *said;
    } cases[] = {
        {706, 0.5, "Proven for it: at most 706 ulp; within 4 ulp by proof: kahan/slow.\n"},
        {706, 4.5, "Proven for it: at most 706 ulp; within 4 ulp by proof: no method.\n"},
        {3.5, 3.5, "Proven for it: at most 3.50 ulp.\n"},
        {INFINITY, 0.5, "Proven for it: a bound beyond the range of binary64; within 4 ulp by proof: kahan/slow.\n"},
    };
    results.series_count = 3;
    for (size_t i = 0; i < 3; i++)
        series[i] = sums(0, 0, i, 3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char expected[512];
        prove(0, cases[c].of_fast, 1e-6);
        prove(1, cases[c].of_slow, 1e-6);
        judge(&no_target);
        snprintf(expected, sizeof expected,
                 "Within 4 ulp on all 10 sums: plain/fast, 13.3..16.0 GB/s; 2 others qualify.\n%s", cases[c].said);
        sentences_are(expected);
    }
    judge(&(struct target){"1e-3", METRIC_relative_error, 1e-3, NULL});
    sentences_are("Within a relative error of 1e-3 on all 10 sums: plain/fast, 13.3..16.0 GB/s; 2 others qualify.\n"
                  "Proven for it: at most 1.00e-06 as a relative error.\n");
    for (size_t i = 0; i < 3; i++) {
        memset(series[i].classes, 0, sizeof series[i].classes);
        series[i].classes[CLASS_INF] = series[i].right_nonfinite = series[i].count;
    }
    judge(&no_target);
    sentences_are("Within 1 ulp on all 10 sums: plain/fast, 13.3..16.0 GB/s; 2 others qualify.\n"
                  "All are the NaN or infinity that IEEE 754 gives.\n");
}

/* One sum never gives a verdict without saying so, and the same sum again is no further evidence. */
static void sentences_say_on_how_many_sums_they_stand(void **state)
{
    (void)state;
    results.series_count = 3;
    for (size_t i = 0; i < 3; i++)
        series[i].count = series[i].classes[CLASS_FINITE] = i == 2 ? 0 : 1;
    judge(&no_target);
    char *sentences = verdict_sentences(&verdict);
    assert_non_null(strstr(sentences, "Within 1 ulp on 1 sum alone: only kahan/slow,"));
    free(sentences);
    build(NULL); /* the twins */
    results.study.repeats = 5;
    judge(&no_target);
    sentences = verdict_sentences(&verdict);
    assert_non_null(strstr(sentences, " on all 8 sums of 3 data sets, each run 5 times"));
    free(sentences);
    replayed();
    judge(&no_target);
    sentences = verdict_sentences(&verdict);
    assert_null(strstr(sentences, "each run")); /* a replay is run once */
    free(sentences);
    results.series_count = 3;
    series[2].backend = BACKEND_OF(plugin), series[2].device = "plug-in";
    series[2].count = series[2].classes[CLASS_FINITE] = 50; /* 5 repeats of the same 10 */
    judge(&no_target);
    assert_int_equal(verdict.rows[0].sums, 10);
    assert_true(verdict_cell(&verdict, 0, 2)->complete);
    series[2].count = series[2].classes[CLASS_FINITE] = 45; /* the twin: a trial is lacking */
    judge(&no_target);
    assert_false(verdict_cell(&verdict, 0, 2)->complete);
}

/* Three formats, launches or backends are one sentence, not three or six. */
static void several_views_share_one_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        series[12 + i] = series[i];
        series[12 + i].launch.blocks += 1;
    }
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; i < 3; i++)
            series[9 + 12 * v + i].statistics[METRIC_ulp_error].max = v == i - 1 ? 0.5 : 9;
    results.series_count = 24;
    judge(&no_target);
    sentences_are("Within 1 ulp on all 80 sums: kahan/slow (120 x 256), plain/untimed (121 x 256).\n"
                  "Proven within 1 ulp: no method.\n");
    for (size_t v = 0; v < 2; v++)
        series[10 + 12 * v].statistics[METRIC_ulp_error].max = 0.5,
                         series[11 + 12 * v].statistics[METRIC_ulp_error].max = 9;
    judge(&no_target); /* the twin: the same method in both */
    sentences_are("Within 1 ulp on all 80 sums: kahan/slow.\nProven within 1 ulp: no method.\n");
    series[22].statistics[METRIC_ulp_error].max = 9;
    judge(&no_target);
    sentences_are("Within 1 ulp on all 80 sums: kahan/slow (120 x 256), no method (121 x 256).\n"
                  "Proven within 1 ulp: no method.\n");
    series[10].statistics[METRIC_ulp_error].max = 9;
    judge(&no_target);
    sentences_are("No method stays within 4 ulp on all 80 sums.\n");
}

static void without_a_method_for_all_the_closest_is_named(void **state)
{
    (void)state;
    judge(&no_target);
    sentences_are("No method stays within 4 ulp on all 40 sums of 3 data sets; plain/fast meets it for 2 of 3 data "
                  "sets.\n");
    judge(&(struct target){"2e-7", METRIC_relative_error, 2e-7, NULL});
    sentences_are(
        "No method stays within a relative error of 2e-7 on all 40 sums of 3 data sets; kahan/slow meets it for "
        "2 of 3 data sets.\n");
    results.series_count = 1;
    series[0] = sums(0, 0, 0, 43);
    judge(&no_target);
    sentences_are("No method stays within 4 ulp on all 10 sums; closest is plain/fast, with up to 43.0 ulp.\n");
    results.series_count = 2;
    series[1] = sums(0, 0, 1, 5);
    series[1].count = 9; /* the others may be worse */
    judge(&no_target);
    sentences_are("No method stays within 4 ulp on all 10 sums; closest is plain/fast, with up to 43.0 ulp.\n");
    series[1].count = 10;
    judge(&no_target);
    sentences_are("No method stays within 4 ulp on all 10 sums; closest is kahan/slow, with up to 5.00 ulp.\n");
    series[1].statistics[METRIC_relative_error].max = 2 * series[0].statistics[METRIC_relative_error].max;
    judge(&(struct target){"1e-9", METRIC_relative_error, 1e-9, NULL}); /* counted as the target is, not in ulps */
    sentences_are(
        "No method stays within a relative error of 1e-9 on all 10 sums; closest is plain/fast, with a relative "
        "error of up to 5.13e-06.\n");
    results.series_count = 0;
    judge(&no_target);
    sentences_are("Nothing was measured.\n");
}

/* ---- matrix products: an element that cancels says nothing of a product ---- */

/* 1000 elements in (-1, 1), of which `lost` have no digit and one is 0. */
static void multiply(size_t i, double in_u, uint64_t lost)
{
    static char map[] = "n";
    series[i].map = map;
    series[i].operation = OPERATION_matmul;
    series[i].histogram.no_digit = lost;
    series[i].classes[CLASS_FINITE] = 9;
    series[i].classes[CLASS_ZERO_SUM] = 1;
    series[i].statistics[METRIC_ulp_error].max = 1e6;
    series[i].statistics[METRIC_backward_error] = (struct statistics){.p50 = in_u * 0x1p-25, .max = in_u * 0x1p-24};
}

static void of_matrix_products_the_verdict_is_in_u(void **state)
{
    (void)state;
    results.series_count = 3;
    methods[0].operation = OPERATION_matmul;
    for (size_t i = 0; i < 3; i++)
        series[i] = sums(0, 0, i, 1), multiply(i, i == 0 ? 5.84 : 1, 6);
    judge(&no_target);
    assert_int_equal(verdict.unit, METRIC_backward_error);
    sentences_are("Within 1 u |A||B| on all 10 elements: kahan/slow, 6.67..8.00 GB/s; 1 other qualifies.\n");
    struct grid grid = which_method_grid(&results, &verdict);
    assert_int_equal(grid.columns, 5); /* nothing is proven in that unit */
    assert_string_equal(grid_text(&grid, 0, 4), "within 4 u |A||B|");
    grid_free(&grid);
    char legend[LEGEND_TEXT];
    which_method_legend(&results, &verdict, legend);
    assert_null(strstr(legend, "proof"));
    multiply(1, nextafter(1, 2), 6);
    multiply(2, nextafter(4, 5), 6);
    judge(&no_target);
    sentences_are("Within 4 u |A||B| on all 10 elements: only kahan/slow, 6.67..8.00 GB/s.\n");
    series[1].classes[CLASS_FINITE] = 8, series[1].classes[CLASS_NAN] = 1; /* what is no number is one no more */
    judge(&no_target);
    sentences_are("No method stays within 4 u |A||B| on all 10 elements; closest is plain/untimed, with up to 4.01 u "
                  "|A||B|.\n");
    methods[0].operation = OPERATION_sum;
    for (size_t i = 0; i < 3; i++)
        series[i].map = NULL; /* the twin: the same numbers as sums */
    judge(&no_target);
    assert_int_equal(verdict.unit, METRIC_ulp_error);
    which_method_legend(&results, &verdict, legend);
    assert_non_null(strstr(legend, "as measured and by proof"));
    sentences_are("No method stays within 4 ulp on all 10 sums; closest is plain/fast, with up to 1.00e+06 ulp.\n");
}

/* Column `column` of each line under the header. */
static void ranking_is(size_t column, const char *const *expected, size_t count)
{
    struct grid grid = ranking_grid(&results, &verdict);
    assert_int_equal(grid.rows, 1 + count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(grid_text(&grid, 1 + i, column), expected[i]);
    grid_free(&grid);
}

/* Errors by data: fast 3, 3.5, 1e9; slow 0.5, 0.75, 6; untimed 0.75, 0, 4.5. */
static void methods_are_ranked_by_the_data_they_may_be_used_on(void **state)
{
    (void)state;
    static const char *const names[] = {"kahan/slow", "plain/untimed", "plain/fast"};
    static const char *const within[] = {"2 of 3", "2 of 3", "0 of 3"}, *const within_4[] = {"2 of 3", "2 of 3",
                                                                                             "2 of 3"};
    static const char *const worst[] = {"6 digits", "6 digits", "no digit"}, *const speed[] = {"6.67..8.00 GB/s", "-",
                                                                                               "13.3..16.0 GB/s"};
    series[9].histogram.no_digit = 1;
    judge(&no_target);
    ranking_is(0, names, 3);
    ranking_is(1, within, 3);
    ranking_is(2, within_4, 3);
    ranking_is(3, worst, 3);
    ranking_is(5, speed, 3);
    results.speed_count = 0; /* the twin: of equal ones no longer the cheaper, and no column of speeds */
    judge(&no_target);
    struct grid grid = ranking_grid(&results, &verdict);
    assert_int_equal(grid.columns, 6);
    grid_free(&grid);
    series[2] = sums(0, 0, 2, 5); /* and one that breaks on more stands further down */
    judge(&no_target);
    static const char *const others[] = {"kahan/slow", "plain/untimed", "plain/fast"};
    ranking_is(0, others, 3);
    judge(&(struct target){"4ulp", METRIC_ulp_error, 4, NULL});
    static const char *const by_target[] = {"kahan/slow", "plain/fast", "plain/untimed"};
    ranking_is(0, by_target, 3);
}

/* An error within the target is no worse than a larger one within 4 ulp. */
static void a_nan_is_the_worst_sum_wherever_it_stands(void **state)
{
    (void)state;
    const struct series **worst;
    size_t count;
    for (size_t place = 0; place < 12; place += 3) { /* the series of the first method */
        const double kept = series[place].worst_ulp_error;
        series[place].worst_ulp_error = NAN;
        worst_of_methods(&results, &worst, &count);
        assert_int_equal(count, 3);
        assert_ptr_equal(worst[0], &series[place]);
        free(worst);
        series[place].worst_ulp_error = kept;
    }
}

static void the_worst_sum_of_a_method_is_the_worst_of_all(void **state)
{
    (void)state;
    static const char *const worst[] = {"3.00 ulp"}, *const other[] = {"1.50 ulp"};
    results.series_count = 2;
    series[0] = sums(0, 0, 0, 3);
    series[1] = sums(1, 0, 0, 1.5);
    judge(&(struct target){"2ulp", METRIC_ulp_error, 2, NULL});
    ranking_is(4, worst, 1);
    series[0] = sums(0, 0, 0, 1.25); /* the twin */
    judge(&(struct target){"2ulp", METRIC_ulp_error, 2, NULL});
    ranking_is(4, other, 1);
}

/* Where most of the others stay within, then where the condition is least. */
static void a_method_breaks_first_on_the_easiest_data(void **state)
{
    (void)state;
    static const char *const first[] = {"gensum cond=1e8", "gensum cond=1e8", "uniform"};
    judge(&no_target);
    ranking_is(6, first, 3);
    struct grid grid = ranking_grid(&results, &verdict);
    assert_string_equal(grid_word_of(&grid, 1, 6), "");
    assert_string_equal(grid_word_of(&grid, 3, 6), "+ 2 more");
    grid_free(&grid);
    series[1] = sums(0, 0, 1, 2); /* slow breaks on uniform too, so that mild data are the easiest for fast */
    series[4] = sums(0, 1, 1, 2);
    judge(&no_target);
    static const char *const easier[] = {"gensum cond=1e8", "uniform", "gensum cond=1e2"};
    series[8] = sums(1, 0, 2, 0);
    ranking_is(6, easier, 3);
    for (size_t i = 0; i < 12; i++)
        series[i] = sums(i / 6, i / 3 % 2, i % 3, 0.5);
    judge(&no_target);
    static const char *const nowhere[] = {"nowhere here", "nowhere here", "nowhere here"};
    ranking_is(6, nowhere, 3);
}

static void a_long_exact_sum_is_cut_in_the_middle(void **state)
{
    (void)state;
    struct series one = sums(0, 0, 0, 1);
    char hex[WORST_EXACT_TEXT], decimal[NUMBER_TEXT];
    one.worst_exact = "0x1.921fb54442d18469898cc51701b839a252049c1114cf98ep+1";
    assert_true(worst_exact_hex(&one, hex) && worst_exact_is_long(&one));
    assert_string_equal(hex, "0x1.921fb54442d18469898cc517...049c1114cf98ep+1");
    worst_exact_decimal(&one, decimal);
    assert_string_equal(decimal, "3.141592653589793");
    one.worst_exact = "0x1.8p+1";
    assert_true(worst_exact_hex(&one, hex) && !worst_exact_is_long(&one));
    assert_string_equal(hex, "0x1.8p+1");
}

/* ---- the colours of the page: text on its ground has a contrast of 4.5 or more (WCAG 2.1, 1.4.3) ---- */

static double linear(double share)
{
    return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

static double luminance(unsigned long colour)
{
    return 0.2126 * linear((double)(colour >> 16 & 255) / 255) + 0.7152 * linear((double)(colour >> 8 & 255) / 255) +
           0.0722 * linear((double)(colour & 255) / 255);
}

static double contrast(unsigned long one, unsigned long other)
{
    const double a = luminance(one), b = luminance(other);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* The value of "--ink" in a block ":root { --ink: #1d2329; ... }". */
static unsigned long colour_in(const char *block, const char *name)
{
    char pattern[32];
    snprintf(pattern, sizeof pattern, "%s: #", name);
    const char *at = strstr(block, pattern);
    assert_true(at && at < strchr(block, '}'));
    return strtoul(at + strlen(pattern), NULL, 16);
}

static void text_stands_out_from_its_ground(void **state)
{
    (void)state;
    static const char *const inks[] = {"--ink", "--soft", "--good", "--bad", "--link"};
    static const char *const grounds[] = {"--paper", "--shade"};
    static const char *const levels[] = {"--v1", "--v2", "--v3", "--v4", "--v5", "--v6", "--v7"};
    size_t blocks = 0;
    assert_true(fabs(contrast(0xffffff, 0) - 21) < 1e-9);
    assert_true(contrast(0x777777, 0xffffff) < 4.5); /* the twin: the check would notice */
    for (size_t i = 0; i < sizeof page_style / sizeof *page_style; i++)
        for (const char *block = page_style[i]; (block = strstr(block, ":root {")); block++, blocks++) {
            for (size_t k = 0; k < sizeof inks / sizeof *inks; k++)
                for (size_t g = 0; g < sizeof grounds / sizeof *grounds; g++)
                    assert_true(contrast(colour_in(block, inks[k]), colour_in(block, grounds[g])) >= 4.5);
            for (size_t v = 0; v < sizeof levels / sizeof *levels; v++)
                assert_true(contrast(colour_in(block, "--ink"), colour_in(block, levels[v])) >= 4.5);
        }
    assert_int_equal(blocks, 3); /* light, dark, paper */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(specs_of_one_condition_are_one_row, build, clear),
        cmocka_unit_test_setup_teardown(conditions_within_one_percent_are_one, build, clear),
        cmocka_unit_test_setup_teardown(launches_have_rows_of_their_own, build, clear),
        cmocka_unit_test_setup_teardown(launches_of_other_threads_have_rows_of_their_own, build, clear),
        cmocka_unit_test_setup_teardown(replays_beside_kernels_are_not_judged, build, clear),
        cmocka_unit_test_setup_teardown(methods_whose_spreads_overlap_are_equally_fast, build, clear),
        cmocka_unit_test_setup_teardown(of_equally_fast_methods_the_fastest_is_named, build, clear),
        cmocka_unit_test_setup_teardown(the_closest_is_the_cheapest_of_those_that_are_as_close, build, clear),
        cmocka_unit_test_setup_teardown(the_cheapest_within_the_limit_is_named, build, clear),
        cmocka_unit_test_setup_teardown(a_limit_is_met_exactly_or_not, build, clear),
        cmocka_unit_test_setup_teardown(the_target_is_a_third_limit, build, clear),
        cmocka_unit_test_setup_teardown(a_target_that_is_a_limit_anyway_is_no_third, build, clear),
        cmocka_unit_test_setup_teardown(a_method_without_a_speed_comes_after_all, build, clear),
        cmocka_unit_test_setup_teardown(a_cheaper_method_that_comes_later_is_the_cheapest, build, clear),
        cmocka_unit_test(speed_is_a_time_on_the_host_and_a_rate_on_a_gpu),
        cmocka_unit_test_setup_teardown(equal_costs_are_ranked_by_error_bound_and_name, build, clear),
        cmocka_unit_test_setup_teardown(a_method_that_lacks_sums_does_not_qualify, build, clear),
        cmocka_unit_test_setup_teardown(a_wrong_nan_disqualifies_and_a_right_one_does_not, build, clear),
        cmocka_unit_test_setup_teardown(a_sum_that_should_be_0_has_no_relative_error, build, clear),
        cmocka_unit_test_setup_teardown(a_level_is_the_best_that_the_worst_sum_reaches, build, clear),
        cmocka_unit_test(a_target_is_read_by_its_unit),
        cmocka_unit_test_setup_teardown(a_target_has_its_place_among_the_levels, build, clear),
        cmocka_unit_test_setup_teardown(what_ieee_754_gives_is_no_trouble, build, clear),
        cmocka_unit_test_setup_teardown(rows_are_called_briefly_while_they_stay_apart, build, clear),
        cmocka_unit_test_setup_teardown(the_table_names_the_cheapest_and_its_cost, build, clear),
        cmocka_unit_test_setup_teardown(the_cheapest_by_proof_has_its_bound_within_the_limit, build, clear),
        cmocka_unit_test_setup_teardown(a_sum_without_a_bound_leaves_nothing_proven, build, clear),
        cmocka_unit_test_setup_teardown(a_bound_that_is_exceeded_proves_nothing, build, clear),
        cmocka_unit_test_setup_teardown(on_the_host_additions_are_counted_and_times_are_not, build, clear),
        cmocka_unit_test_setup_teardown(sentences_say_on_how_many_sums_they_stand, build, clear),
        cmocka_unit_test_setup_teardown(what_is_proven_is_a_sentence_of_its_own, build, clear),
        cmocka_unit_test_setup_teardown(sentences_say_how_many_others_are_as_good, build, clear),
        cmocka_unit_test_setup_teardown(several_views_share_one_sentence, build, clear),
        cmocka_unit_test_setup_teardown(of_matrix_products_the_verdict_is_in_u, build, clear),
        cmocka_unit_test_setup_teardown(sentences_name_the_cheapest, build, clear),
        cmocka_unit_test_setup_teardown(without_a_method_for_all_the_closest_is_named, build, clear),
        cmocka_unit_test_setup_teardown(methods_are_ranked_by_the_data_they_may_be_used_on, build, clear),
        cmocka_unit_test_setup_teardown(a_method_breaks_first_on_the_easiest_data, build, clear),
        cmocka_unit_test_setup_teardown(a_nan_is_the_worst_sum_wherever_it_stands, build, clear),
        cmocka_unit_test_setup_teardown(the_worst_sum_of_a_method_is_the_worst_of_all, build, clear),
        cmocka_unit_test_setup_teardown(a_long_exact_sum_is_cut_in_the_middle, build, clear),
        cmocka_unit_test_setup_teardown(text_stands_out_from_its_ground, build, clear),
    };
    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
