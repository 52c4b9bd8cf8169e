/* The builders of charts put numbers where they belong: series made by hand, and points looked for. */
#include "reports/chart/chart.h"
#include "reports/chart/chart_svg.h"
#include "reports/charts/apart_axis.h"
#include "reports/charts/charts.h"
#include "reports/charts/group_chart.h"
#include "reports/page/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a run by hand: two methods on a sweep of three specs, and on a single spec ---- */

enum { SPECS = 3, SERIES = 8 };

static char serial[] = "plain/serial", tree[] = "kahan/tree_two_pass", word[] = "", sweep_text[] = "uniform:n=1..3",
            single_text[] = "ones:n=7";
static char spec_texts[SPECS][16] = {"uniform:n=1024", "uniform:n=2048", "uniform:n=4096"};
static char none[] = "";
static struct method_record methods[] = {
    {serial, word, word, word, word, &FORMAT_BINARY32, OPERATION_sum, DETERMINISTIC, UINT64_MAX, false, none, none},
    {tree, word, word, word, word, &FORMAT_BINARY32, OPERATION_sum, DETERMINISTIC, UINT64_MAX, false, none, none},
};
static struct spec_record specs[SPECS], single = {single_text, single_text, word, word, false};
static struct entry_record entries[] = {
    {.text = sweep_text, .specs = specs, .spec_count = SPECS, .trials = 10},
    {.text = single_text, .specs = &single, .spec_count = 1, .trials = 10},
};
static struct launch launches[] = {{120, 256}};
static struct series series[SERIES];
static struct speed speeds[2];
static struct results results = {
    .study = {.title = word,
              .text = word,
              .methods = methods,
              .method_count = 2,
              .launches = launches,
              .launch_count = 1,
              .entries = entries,
              .entry_count = 2,
              .seed = 1,
              .repeats = 1},
    .series = series,
    .series_count = SERIES,
    .speeds = speeds,
};

/* The relative errors are `error`, twice and four times of it; the ulps 2^24 times that. */
static struct series series_of(size_t entry, size_t method, const char *data, uint64_t n, double error)
{
    struct series one = {
        .entry = entry,
        .method = methods[method].id,
        .data = data,
        .n = n,
        .format = &FORMAT_BINARY32,
        .backend = BACKEND_OF(replay),
        .device = "host",
        .launch = {120, 256},
        .count = 10,
        .median_condition = 1,
        .relative_bound = 8 * error,
        .relative_probabilistic_bound = NAN,
        .p50 = {NAN, NAN},
        .p99 = {NAN, NAN},
        .worst_ulp_error = 4 * error * 0x1p24,
    };
    one.classes[error > 0 ? CLASS_FINITE : CLASS_EXACT] = 10;
    one.statistics[METRIC_relative_error] = (struct statistics){0, error, error, 2 * error, 4 * error, error};
    one.statistics[METRIC_bound_ratio] = (struct statistics){0, 0.125, 0.2, 0.25, 0.5, 0.2};
    one.statistics[METRIC_ulp_error].max = one.worst_ulp_error;
    return one;
}

static int build(void **state)
{
    (void)state;
    methods[1].is_black_box = false;
    results.series_count = SERIES;
    results.speed_count = 0;
    for (size_t d = 0; d < SPECS; d++) {
        specs[d] = (struct spec_record){spec_texts[d], spec_texts[d], word, word, false};
        series[2 * d] = series_of(0, 0, spec_texts[d], UINT64_C(1024) << d, ldexp(1e-6, (int)d));
        series[2 * d + 1] = series_of(0, 1, spec_texts[d], UINT64_C(1024) << d, 2e-8);
    }
    for (size_t m = 0; m < 2; m++)
        series[6 + m] = series_of(1, m, single_text, 7, 0);
    for (size_t m = 0; m < 2; m++)
        speeds[m] = (struct speed){methods[m].id,  BACKEND_OF(replay), {120, 256},    1024, 5,
                                   m == 0 ? 1 : 4, m == 0 ? 1 : 4,     m == 0 ? 4 : 1};
    return 0;
}

/* ---- what is asked of a chart ---- */

static struct chart chart;

static int unbuild(void **state)
{
    (void)state;
    chart_free(&chart);
    return 0;
}

static struct chart *errors_against(enum error_against against)
{
    struct group group;
    chart_free(&chart);
    group_make(&results, 0, &group);
    error_chart(&results, &group, against, &chart);
    group_free(&group);
    return &chart;
}

static bool applies(size_t first, enum error_against against)
{
    struct group group;
    group_make(&results, first, &group);
    const bool answer = error_chart_applies(&group, against);
    group_free(&group);
    return answer;
}

static const struct chart_mark *mark_of(size_t panel, const char *name)
{
    for (size_t m = 0; m < chart.panels[panel]->mark_count; m++)
        if (strcmp(chart.panels[panel]->marks[m]->name, name) == 0)
            return chart.panels[panel]->marks[m];
    return NULL;
}

static double y_at(size_t panel, const char *name, double x)
{
    const struct chart_mark *mark = mark_of(panel, name);
    for (size_t i = 0; mark && i < mark->point_count; i++)
        if (mark->points[i].x == x)
            return mark->points[i].y;
    return NAN;
}

static double tick_of(const struct chart_axis *axis, const char *text)
{
    for (size_t i = 0; i < axis->tick_count; i++)
        if (strcmp(axis->ticks[i].text, text) == 0)
            return axis->ticks[i].at;
    return NAN;
}

static size_t all_points(void)
{
    size_t count = 0;
    for (size_t p = 0; p < chart.panel_count; p++)
        for (size_t m = 0; m < chart.panels[p]->mark_count; m++)
            count += chart.panels[p]->marks[m]->point_count;
    return count;
}

static void all_points_are_within(void)
{
    for (size_t p = 0; p < chart.panel_count; p++)
        for (size_t m = 0; m < chart.panels[p]->mark_count; m++)
            for (size_t i = 0; i < chart.panels[p]->marks[m]->point_count; i++) {
                const struct chart_point *point = &chart.panels[p]->marks[m]->points[i];
                assert_true(isnan(point->x) || (point->x >= chart.x.least && point->x <= chart.x.most));
                assert_true(isnan(point->y) || (point->y >= chart.y.least && point->y <= chart.y.most));
            }
}

/* ---- error against n ---- */

static void a_point_is_where_its_series_is(void **state)
{
    (void)state;
    errors_against(AGAINST_N);
    assert_int_equal(chart.panel_count, 2);
    assert_string_equal(chart.panels[0]->title, "plain/serial");
    assert_true(y_at(0, "median", 2048) == 2e-6);
    assert_true(y_at(0, "p99", 2048) == 4e-6);
    assert_true(y_at(0, "max", 2048) == 8e-6);
    assert_true(y_at(0, "max", 4096) == 16e-6); /* the twin: another n, another error */
    assert_true(mark_of(0, "median to max")->points[1].y == 2e-6);
    assert_true(mark_of(0, "median to max")->points[1].other == 8e-6);
    assert_true(y_at(0, "max of another method", 2048) == y_at(1, "max", 2048));
    assert_true(mark_of(0, "u")->points[0].y == 0x1p-24);
    all_points_are_within();
}

static void points_stand_in_rising_order(void **state)
{
    (void)state;
    const struct series first = series[0];
    series[0] = series[4], series[4] = first;
    errors_against(AGAINST_N);
    const struct chart_mark *line = mark_of(0, "max");
    assert_int_equal(line->point_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(line->points[i].x == 1024 << i);
    assert_true(y_at(0, "max", 1024) == 4e-6);
}

static void the_bound_drawn_is_the_series_own(void **state)
{
    (void)state;
    series[0].relative_bound = 0.25;
    errors_against(AGAINST_N);
    assert_true(y_at(0, "proven bound", 1024) == 0.25);
    assert_true(y_at(0, "proven bound", 2048) == 16e-6);
    assert_true(y_at(1, "proven bound", 1024) == 16e-8);
}

static void a_probabilistic_bound_is_drawn_where_there_is_one(void **state)
{
    (void)state;
    errors_against(AGAINST_N);
    assert_null(mark_of(0, "probabilistic bound"));
    series[2].relative_probabilistic_bound = 3e-6;
    errors_against(AGAINST_N);
    assert_null(mark_of(1, "probabilistic bound"));
    assert_int_equal(mark_of(0, "probabilistic bound")->point_count, 1);
    assert_true(y_at(0, "probabilistic bound", 2048) == 3e-6);
    assert_true(mark_of(0, "probabilistic bound")->dashed);
}

static void a_probabilistic_bound_that_is_not_below_the_proven_one_is_not_drawn(void **state)
{
    (void)state;
    for (size_t d = 0; d < SPECS; d++)
        series[2 * d].relative_probabilistic_bound = series[2 * d].relative_bound;
    series[2].relative_probabilistic_bound *= 0.75; /* the twin */
    errors_against(AGAINST_N);
    assert_int_equal(mark_of(0, "probabilistic bound")->point_count, 1);
    assert_int_equal(mark_of(0, "proven bound")->point_count, 3);
    assert_non_null(strstr(chart.caption, "the probabilistic bound"));
    series[2].relative_bound = 7, series[2].relative_probabilistic_bound = 2; /* both are where no digit is right */
    errors_against(AGAINST_N);
    assert_null(mark_of(0, "probabilistic bound"));
    assert_null(strstr(chart.caption, "the probabilistic bound"));
}

static void an_interval_is_drawn_where_a_seed_drew_the_data(void **state)
{
    (void)state;
    series[2].p50 = (struct interval){1e-6, 3e-6};
    series[2].p99 = (struct interval){3e-6, NAN}; /* no upper end: too few sums */
    errors_against(AGAINST_N);
    const struct chart_mark *band = mark_of(0, "95 % interval of the median");
    assert_int_equal(band->point_count, 1);
    assert_true(band->points[0].x == 2048 && band->points[0].y == 1e-6 && band->points[0].other == 3e-6);
    assert_null(mark_of(0, "95 % interval of p99"));
    assert_null(mark_of(1, "95 % interval of the median"));
    assert_non_null(strstr(chart.caption, "95 % confidence interval of the median, by order statistics"));
    entries[0].permuted = true; /* the twin: orders of the same numbers */
    errors_against(AGAINST_N);
    assert_null(mark_of(0, "95 % interval of the median"));
    assert_null(strstr(chart.caption, "confidence interval"));
    entries[0].permuted = false;
}

static void all_methods_are_on_one_axis(void **state)
{
    (void)state;
    struct group group;
    series[2].p50 = (struct interval){1e-6, 3e-6};
    chart_free(&chart);
    group_make(&results, 0, &group);
    error_overlay(&results, &group, AGAINST_N, &chart);
    group_free(&group);
    assert_int_equal(chart.panel_count, 1);
    for (size_t m = 0; m < 2; m++) {
        const struct chart_mark *line = mark_of(0, methods[m].id);
        assert_string_equal(line->of, methods[m].id);
        assert_int_equal(line->point_count, 3);
        assert_true(line->points[1].y == series[2 + m].statistics[METRIC_relative_error].max);
        assert_int_equal(line->dashed, m % 2); /* seen where one lies on another, also without colours */
    }
    assert_true(mark_of(0, methods[0].id)->colour != mark_of(0, methods[1].id)->colour);
    assert_int_equal(mark_of(0, "95 % interval of the median")->point_count, 1);
    all_points_are_within();
    results.series_count = 1; /* the twin: one method alone has no picture of all */
    assert_false(charts_exist(&results, CHART_OVERLAY_N));
    results.series_count = SERIES;
    assert_true(charts_exist(&results, CHART_OVERLAY_N));
}

static void the_legend_goes_from_what_was_measured_to_what_it_is_held_against(void **state)
{
    (void)state;
    static const char *const names[] = {">median</text>",
                                        ">p99</text>",
                                        ">max</text>",
                                        ">median to max</text>",
                                        ">proven bound</text>",
                                        ">probabilistic bound</text>",
                                        ">max of another method</text>",
                                        ">u</text>"};
    series[3].relative_probabilistic_bound = 1e-8; /* of the second panel only */
    errors_against(AGAINST_N);
    struct picture picture;
    chart_svg(&chart, &picture);
    const char *at = picture.svg;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_non_null(strstr(at, names[i]));
        at = strstr(at, names[i]);
    }
    picture_free(&picture);
    assert_string_equal(chart.panels[0]->marks[1]->name, "max of another method"); /* which yet lies below the others */
}

static void an_error_of_zero_stands_on_the_line_of_exact_ones(void **state)
{
    (void)state;
    errors_against(AGAINST_N);
    assert_true(isnan(tick_of(&chart.y, "exact"))); /* the twin: no line where nothing is exact */
    series[1] = series_of(0, 1, spec_texts[0], 1024, 0);
    errors_against(AGAINST_N);
    const double exact = tick_of(&chart.y, "exact");
    assert_true(exact > 0 && chart_is_apart(&chart.y, exact));
    assert_true(y_at(1, "max", 1024) == exact && y_at(1, "median", 1024) == exact);
    assert_true(y_at(1, "max", 2048) > exact);
    all_points_are_within();
}

static void an_error_of_one_stands_on_the_line_of_no_digit(void **state)
{
    (void)state;
    static const double hopeless[] = {1, 1e30, INFINITY, NAN};
    errors_against(AGAINST_N);
    assert_true(isnan(tick_of(&chart.y, "no digit")));
    for (int i = 0; i < 4; i++) {
        series[1].statistics[METRIC_relative_error].max = hopeless[i];
        series[1].classes[CLASS_NAN] = i == 3;
        errors_against(AGAINST_N);
        const double no_digit = tick_of(&chart.y, "no digit");
        assert_true(chart_is_apart(&chart.y, no_digit));
        assert_true(y_at(1, "max", 1024) == no_digit);
        assert_true(y_at(1, "median", 1024) == 2e-8);
        all_points_are_within();
    }
}

static void a_nan_that_is_right_is_no_point(void **state)
{
    (void)state;
    series[1].statistics[METRIC_relative_error].max = NAN;
    series[1].classes[CLASS_NAN] = series[1].right_nonfinite = 1;
    errors_against(AGAINST_N);
    assert_true(isnan(y_at(1, "max", 1024)));
    assert_non_null(strstr(chart.caption, " 1 of 60 sums are left out"));
}

static void undefined_errors_are_left_out_and_counted(void **state)
{
    (void)state;
    errors_against(AGAINST_N);
    assert_null(strstr(chart.caption, "left out"));
    memset(series[3].classes, 0, sizeof series[3].classes);
    series[3].classes[CLASS_ZERO_SUM] = 10;
    series[3].statistics[METRIC_relative_error] = (struct statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    errors_against(AGAINST_N);
    assert_int_equal(mark_of(1, "max")->point_count, 2);
    assert_true(isnan(y_at(1, "max", 2048)));
    assert_non_null(strstr(chart.caption, " 10 of 60 sums are left out"));
}

static void errors_to_one_side_have_a_chart_of_their_own(void **state)
{
    (void)state;
    struct charts charts;
    assert_false(charts_exist(&results, CHART_SIGNED_N)); /* the twin: errors to both sides have none */
    for (size_t i = 0; i < SERIES; i++) {
        series[i].statistics[METRIC_relative_error].mean = series[i].statistics[METRIC_relative_error].max / 2;
        series[i].signed_error = -series[i].statistics[METRIC_relative_error].mean;
    }
    charts_of_kind(&results, CHART_SIGNED_N, &charts);
    assert_true(charts.count > 0);
    const struct chart_mark *line = charts.list[0].panels[0]->marks[0];
    assert_int_equal(line->point_count, SPECS);
    for (size_t d = 0; d < SPECS; d++)
        assert_true(line->points[d].y == 100 * series[2 * d].signed_error && line->points[d].y < 0);
    assert_non_null(strstr(charts.list[0].caption, "in the mean at n = "));
    assert_int_equal(charts.list[0].panels[0]->marks[1]->point_count, 0); /* sums have no law */
    charts_free(&charts);
}

static void one_n_gives_no_chart(void **state)
{
    (void)state;
    struct charts charts;
    assert_true(applies(0, AGAINST_N));
    assert_false(applies(6, AGAINST_N));
    assert_true(charts_exist(&results, CHART_ERROR_N));
    for (size_t i = 0; i < SERIES; i++)
        series[i].n = 7;
    assert_false(charts_exist(&results, CHART_ERROR_N));
    charts_of_kind(&results, CHART_ERROR_N, &charts);
    assert_int_equal(charts.count, 0);
    charts_free(&charts);
}

static void all_exact_is_said_and_not_drawn(void **state)
{
    (void)state;
    errors_against(AGAINST_N);
    assert_null(chart.missing);
    for (size_t i = 0; i < 6; i++)
        series[i] = series_of(0, i % 2, spec_texts[i / 2], UINT64_C(1024) << i / 2, 0);
    errors_against(AGAINST_N);
    assert_string_equal(chart.missing, "all sums are exact");
    assert_int_equal(all_points(), 0);
}

static void all_undefined_is_said_and_not_drawn(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        memset(series[i].classes, 0, sizeof series[i].classes);
        series[i].classes[CLASS_ZERO_SUM] = 10;
        series[i].statistics[METRIC_relative_error] = (struct statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    }
    errors_against(AGAINST_N);
    assert_non_null(strstr(chart.missing, "no relative error is defined"));
    series[0] = series_of(0, 0, spec_texts[0], 1024, 0); /* exact sums beside them are not all sums */
    errors_against(AGAINST_N);
    assert_non_null(strstr(chart.missing, "of 50 of 60 sums none is defined"));
}

/* ---- error against condition ---- */

static void conditions_within_one_percent_are_one(void **state)
{
    (void)state;
    series[2].median_condition = series[3].median_condition = 1.009;
    assert_false(applies(0, AGAINST_CONDITION));
    series[2].median_condition = series[3].median_condition = 1.02;
    assert_true(applies(0, AGAINST_CONDITION));
}

static void of_specs_with_one_condition_the_largest_is_drawn(void **state)
{
    (void)state;
    series[4].median_condition = series[5].median_condition = 1000;
    errors_against(AGAINST_CONDITION);
    assert_int_equal(mark_of(0, "max")->point_count, 2);
    assert_true(y_at(0, "max", 1) == 8e-6);
    assert_true(y_at(0, "max", 1000) == 16e-6);
    assert_non_null(strstr(chart.caption, "Of several specs with the same condition"));
}

static void a_condition_that_is_not_finite_is_left_out(void **state)
{
    (void)state;
    series[4].median_condition = series[5].median_condition = 1000;
    series[2].median_condition = series[3].median_condition = INFINITY;
    errors_against(AGAINST_CONDITION);
    assert_int_equal(mark_of(0, "max")->point_count, 2);
    assert_true(y_at(0, "max", 1) == 4e-6);
    assert_non_null(strstr(chart.caption, " 1 spec whose median condition is not finite is left out."));
    assert_null(strstr(chart.caption, "with the same condition"));
}

/* ---- which methods ---- */

static void few_methods_are_all_chosen_and_many_by_accumulator(void **state)
{
    (void)state;
    static const char *const ids[] = {"a/x", "a/y", "ab/x", "b/x", "b/y"};
    size_t chosen[5];
    assert_int_equal(panel_methods(ids, 5, 5, chosen), 5);
    assert_int_equal(panel_methods(ids, 5, 4, chosen), 3);
    assert_int_equal(chosen[0], 0);
    assert_int_equal(chosen[1], 2);
    assert_int_equal(chosen[2], 3);
    assert_int_equal(panel_methods(ids, 5, 2, chosen), 2);
    static const char *const of_two[] = {"v.a:plain/x", "v.a:kahan/x", "v.b:plain/x", "v.b:kahan/x"};
    assert_int_equal(panel_methods(of_two, 4, 3, chosen), 2); /* of each operation, where accumulators are too many */
    assert_true(chosen[0] == 0 && chosen[1] == 2);
    assert_int_equal(panel_methods(of_two, 4, 1, chosen), 1);
    assert_int_equal(panel_methods(of_two, 2, 1, chosen), 1); /* of one operation the first accumulators */
}

/* 17 accumulators, 12 of which have a panel; `last` is what the largest error of the last one grows to, and its share.
 */
static void errors_of_seventeen(double last, double share)
{
    enum { MANY = 17 };
    static char ids[MANY][16];
    static struct method_record many[MANY];
    static struct series all[2 * MANY];
    for (size_t m = 0; m < MANY; m++) {
        snprintf(ids[m], sizeof ids[m], "a%zu/serial", m);
        many[m] = methods[0];
        many[m].id = ids[m];
        for (size_t d = 0; d < 2; d++) {
            all[d * MANY + m] = series_of(0, 0, spec_texts[d], UINT64_C(1024) << d, 1e-7);
            all[d * MANY + m].method = ids[m];
        }
    }
    all[2 * MANY - 1].statistics[METRIC_relative_error].max = last;
    all[2 * MANY - 1].statistics[METRIC_bound_ratio].max = share;
    results.study.methods = many, results.study.method_count = MANY;
    results.series = all, results.series_count = 2 * MANY;
    errors_against(AGAINST_N);
    results.study.methods = methods, results.study.method_count = 2;
    results.series = series, results.series_count = SERIES;
}

static void a_caption_speaks_of_methods_without_a_panel_too(void **state)
{
    (void)state;
    errors_of_seventeen(1e-3, 0.75);
    assert_int_equal(chart.panel_count, 12);
    assert_non_null(strstr(chart.caption, " 12 of 17 methods are drawn: the first of each accumulator, as far as the "
                                          "first 12 of 17 accumulators."));
    errors_against(AGAINST_N); /* the twin */
    assert_null(strstr(chart.caption, "methods are drawn"));
}

/* ---- places apart ---- */

static void a_decade_is_found_on_the_right_side(void **state)
{
    (void)state;
    for (int e = -300; e <= 300; e++) {
        assert_int_equal(decade_below(power_of_ten(4 * e)), e);
        assert_int_equal(decade_below(nextafter(power_of_ten(4 * e), 0)), e - 1);
    }
}

/* ---- all of them ---- */

static void names_are_unique(void **state)
{
    (void)state;
    struct charts charts;
    results.speed_count = 2;
    for (size_t i = 0; i < SERIES; i++)
        series[i].median_condition = (double)i + 1;
    for (size_t i = 4; i < SERIES; i++)
        series[i].launch = (struct launch){1, 32 + (uint32_t)(i % 2)};
    charts_of(&results, &charts);
    assert_true(charts.count > 6);
    for (size_t i = 0; i < charts.count; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(charts.list[i].name, charts.list[k].name);
    charts_free(&charts);
}

/* More cannot be compared with the eye, and a page of all methods would take minutes. */
static void no_picture_has_more_than_18_panels(void **state)
{
    (void)state;
    assert_in_range(HISTOGRAM_PANELS, 1, 18);
    assert_in_range(ERROR_PANELS, 1, 18);
}

/* ---- on the page ---- */

static void the_shares_of_a_page_are_4600_kilobytes_in_all(void **state)
{
    (void)state;
    size_t count, kilobytes = COMPARISON_SHARE;
    const struct section *const *sections = section_table(&count);
    for (size_t i = 0; i < count; i++)
        kilobytes += sections[i]->share;
    assert_int_equal(kilobytes, 4600);
}

/* What the page says in place of a picture, or under it. */
static char *said_by_figure(size_t room)
{
    struct page page;
    char path[] = "/tmp/test_charts.XXXXXX", *text = NULL;
    size_t length = 0;
    const int unused = mkstemp(path);
    page_begin(&page, "figures");
    page_allow(&page, room);
    figure(&page, &chart);
    page_say_left_out(&page);
    assert_int_equal(page_end(&page, OK, path), OK);
    FILE *file = fopen(path, "r");
    assert_true(getdelim(&text, &length, 0, file) > 0);
    fclose(file);
    close(unused);
    unlink(path);
    return text;
}

static void a_picture_without_room_is_named(void **state)
{
    (void)state;
    errors_against(AGAINST_N);
    char *text = said_by_figure(4000);
    assert_non_null(strstr(text, "1 more picture was omitted; the folder that --svg writes has the "
                                 "pictures: <code>error-n-1-uniform.svg</code>."));
    assert_null(strstr(text, "<figure"));
    assert_non_null(strstr(text, "<table")); /* which is shorter */
    free(text);
    text = said_by_figure(100000);
    assert_null(strstr(text, "--svg"));
    free(text);
    chart_set(&chart.missing, "all sums are exact");
    text = said_by_figure(4000);
    assert_null(strstr(text, "--svg"));
    assert_non_null(strstr(text, "there is nothing to draw; all sums are exact."));
    free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, build, unbuild)
    const struct CMUnitTest tests[] = {
        TEST(a_point_is_where_its_series_is),
        TEST(points_stand_in_rising_order),
        TEST(the_bound_drawn_is_the_series_own),
        TEST(a_probabilistic_bound_is_drawn_where_there_is_one),
        TEST(a_probabilistic_bound_that_is_not_below_the_proven_one_is_not_drawn),
        cmocka_unit_test_setup(an_interval_is_drawn_where_a_seed_drew_the_data, build),
        cmocka_unit_test_setup(all_methods_are_on_one_axis, build),
        TEST(the_legend_goes_from_what_was_measured_to_what_it_is_held_against),
        TEST(an_error_of_zero_stands_on_the_line_of_exact_ones),
        TEST(an_error_of_one_stands_on_the_line_of_no_digit),
        TEST(a_nan_that_is_right_is_no_point),
        TEST(undefined_errors_are_left_out_and_counted),
        TEST(errors_to_one_side_have_a_chart_of_their_own),
        TEST(one_n_gives_no_chart),
        TEST(all_exact_is_said_and_not_drawn),
        TEST(all_undefined_is_said_and_not_drawn),
        TEST(conditions_within_one_percent_are_one),
        TEST(of_specs_with_one_condition_the_largest_is_drawn),
        TEST(a_condition_that_is_not_finite_is_left_out),
        TEST(few_methods_are_all_chosen_and_many_by_accumulator),
        TEST(a_caption_speaks_of_methods_without_a_panel_too),
        TEST(a_decade_is_found_on_the_right_side),
        TEST(names_are_unique),
        TEST(no_picture_has_more_than_18_panels),
        TEST(the_shares_of_a_page_are_4600_kilobytes_in_all),
        TEST(a_picture_without_room_is_named),
    };
    return cmocka_run_group_tests_name("charts", tests, NULL, NULL);
}
