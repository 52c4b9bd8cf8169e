/* The forms of a chart show what is in it: the SVG is well-formed and says every name as it is, and the
 * table holds the same numbers. */
#include "reports/canvas/canvas.h"
#include "reports/chart/chart.h"
#include "reports/chart/chart_svg.h"
#include "reports/charts/charts.h"
#include "tests/support/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/heard.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NASTY[] = "a<b&\"c\"]]> it's _1^{2} {x} @ \\n `touch x` &#0;";

/* ---- a chart with everything in it ---- */

static struct chart chart;

static void add_panel(const char *title)
{
    struct chart_panel *panel = chart_panel(&chart, title);
    struct chart_mark *band = chart_mark(panel, MARK_BAND, "p50 to max", COLOUR_MAIN),
                      *line = chart_mark(panel, MARK_LINE, "median", COLOUR_MAIN),
                      *rule = chart_mark(panel, MARK_RULE_Y, NASTY, COLOUR_QUIET);
    rule->dashed = true;
    chart_point(rule, NAN, 1, NAN, NULL);
    for (int i = 10; i <= 20; i += 5) {
        chart_point(band, ldexp(1, i), 0.1, 1.0 / 3 * i, NULL);
        chart_point(line, ldexp(1, i), 0.1 * i, NAN, NULL);
    }
}

static int build(void **state)
{
    (void)state;
    chart_begin(&chart, "error-n-1-uniform");
    chart_set(&chart.title, "%s", NASTY);
    chart_set(&chart.caption, "Lower is better.");
    chart_set(&chart.x.label, "n");
    chart_set(&chart.y.label, "error");
    chart_set(&chart.y.unit, "ulp");
    chart.x = (struct chart_axis){.label = chart.x.label, .scale = SCALE_LOG2, .least = 512, .most = 0x1p21};
    chart.y = (struct chart_axis){
        .label = chart.y.label, .unit = chart.y.unit, .scale = SCALE_LOG10, .least = 1e-3, .most = 1e3};
    chart_tick(&chart.y, 2e-3, true, "exact");
    chart.columns = 2;
    chart.panel_height = 120;
    add_panel(NASTY);
    add_panel("kahan/tree_two_pass");
    return 0;
}

static int drop(void **state)
{
    (void)state;
    chart_free(&chart);
    return 0;
}

static char *drawn(void)
{
    struct picture picture;
    chart_svg(&chart, &picture);
    assert_int_equal(strlen(picture.svg), picture.length);
    return picture.svg;
}

static double texts_that_are(const char *svg, const char *words)
{
    char expression[256];
    snprintf(expression, sizeof expression, "count(//s:text[normalize-space(.)=%s])", words);
    return svg_number(svg, expression);
}

/* ---- SVG ---- */

/* Title, a panel and the legend, with the blanks that they have. */
static void svg_is_xml_and_says_any_name_as_it_is(void **state)
{
    (void)state;
    char *svg = drawn();
    assert_true(svg_number_of(svg, "count(//s:text[.=$text])", NASTY) == 3);
    assert_true(svg_number_of(svg, "count(//s:text[.=$text])", "a<b") == 0);
    strstr(svg, "</svg>")[0] = ' ';
    assert_true(isnan(svg_number(svg, "1"))); /* the twin: what is not well-formed is found */
    free(svg);
}

/* 2^-32, 2^-24 ... 1; steps of 2^16 would leave 2^-16 alone beside what stands apart at both ends. */
static void a_narrow_axis_of_powers_of_two_has_several_numbers(void **state)
{
    (void)state;
    const struct chart_axis axis = {.scale = SCALE_LOG2, .least = 0x1p-33, .most = 1};
    struct axis_ticks ticks = axis_ticks(&axis, 156, 44);
    assert_int_equal(ticks.count, 5);
    assert_true(ticks.list[1].at == 0x1p-24);
    axis_ticks_free(&ticks);
}

/* As many fields on each line, a line for each point; what stands beside the scale is a word and no number. */
static void numbers_of_a_picture_are_tidy_csv(void **state)
{
    (void)state;
    chart_point(chart.panels[1]->marks[1], 0x1p20, 2e-3, NAN, "a, b");
    chart_set(&chart.panels[1]->marks[1]->of, "kahan");
    assert_int_equal(chart_csv_write(&chart, "numbers.csv"), OK);
    char text[4096] = "";
    FILE *file = fopen("numbers.csv", "r");
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    size_t lines = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + 2 * (1 + 3 + 3) + 1); /* the head, two panels, and that point */
    assert_int_equal(strncmp(text, "panel,series,mark,x,x_word,y,y_word,to,to_word,label\n", 53), 0);
    assert_non_null(strstr(text, "\nkahan/tree_two_pass,,p50 to max,1024,,0.1,,3.33333"));
    assert_non_null(strstr(text, "\nkahan/tree_two_pass,kahan,median,1048576,,,exact,,,\"a, b\"\n"));
    assert_null(strstr(text, "0.002"));
    unlink("numbers.csv");
}

static void svg_and_its_shapes_are_named(void **state)
{
    (void)state;
    chart_set(&chart.subtitle, "what is drawn");
    char *svg = drawn();
    assert_true(svg_number_of(svg, "count(/s:svg/s:title[.=$text])", NASTY) == 1);
    assert_true(svg_number(svg, "count(/s:svg/s:desc[.='what is drawn'])") == 1);
    assert_true(svg_number(svg, "count(//s:path[s:title='p50 to max'][starts-with(@class, 'band ')])") == 2);
    assert_true(svg_number(svg, "count(//s:path[s:title='median'][starts-with(@class, 'line ')])") == 2);
    assert_true(svg_number(svg, "count(//s:path[s:title='median'][starts-with(@class, 'band ')])") == 0); /* the twin */
    free(svg);
}

static void svg_has_all_points_where_they_belong(void **state)
{
    (void)state;
    static const double least_x = 512, most_x = 0x1p21, least_y = 1e-3, most_y = 1e3;
    char *svg = drawn();
    const char *line = strstr(svg, "class=\"line main\"");
    double x[3], y[3], left = 0, right = 0, top = 0, bottom = 0;
    assert_non_null(line);
    assert_int_equal(
        sscanf(strstr(line, " d=\"M"), " d=\"M%lf,%lfL%lf,%lfL%lf,%lf\"", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]), 6);
    const char *rule = strstr(svg, "class=\"rule quiet\""); /* at y = 1, half way up */
    assert_int_equal(sscanf(strstr(rule, " d=\"M"), " d=\"M%lf,%lfH%lf\"", &left, &top, &right), 3);
    bottom = top + 60, top -= 60;
    for (int i = 0; i < 3; i++) {
        const struct chart_point *point = &chart.panels[0]->marks[1]->points[i];
        const double across = log(point->x / least_x) / log(most_x / least_x);
        const double up = log(point->y / least_y) / log(most_y / least_y);
        assert_true(fabs(x[i] - (left + across * (right - left))) < 0.02);
        assert_true(fabs(y[i] - (bottom + up * (top - bottom))) < 0.02);
        assert_true(fabs(y[i] - (bottom + across * (top - bottom))) > 1); /* the twin */
    }
    free(svg);
}

static void svg_has_the_axes_once_a_column_and_a_row(void **state)
{
    (void)state;
    char *svg = drawn();
    assert_true(texts_that_are(svg, "'n'") == 1);
    assert_true(texts_that_are(svg, "'error'") == 1);
    assert_true(texts_that_are(svg, "'exact'") == 1);
    assert_true(texts_that_are(svg, "'p50 to max'") == 1);
    free(svg);
    chart.columns = 1;
    svg = drawn();
    assert_true(texts_that_are(svg, "'n'") == 1);
    assert_true(texts_that_are(svg, "'exact'") == 2);
    free(svg);
}

/* As wide as the widest of its lines: the next power of two has no room beside it, the one that is far off has. */
static void ticks_at_the_foot_without_room_are_dropped(void **state)
{
    (void)state;
    chart_tick(&chart.x, 1024, false, "a number\nthat is wide");
    chart_tick(&chart.x, 2048, false, "dropped");
    chart_tick(&chart.x, 0x1p20, false, "far off");
    char *svg = drawn();
    assert_true(texts_that_are(svg, "'that is wide'") == 2); /* in each column */
    assert_true(texts_that_are(svg, "'dropped'") == 0);
    assert_true(texts_that_are(svg, "'far off'") == 2);
    free(svg);
}

static void equal_charts_are_equal_bytes_in_any_locale(void **state)
{
    (void)state;
    char *first = drawn();
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is installed: "0,5" */
    char *second = drawn();
    setlocale(LC_ALL, "C");
    assert_string_equal(first, second);
    chart.panels[1]->marks[1]->points[0].y *= 2;
    char *third = drawn();
    assert_string_not_equal(first, third);
    free(first);
    free(second);
    free(third);
}

static void a_missing_chart_is_a_sentence_without_axes(void **state)
{
    (void)state;
    chart_set(&chart.missing, "all sums are exact");
    char *svg = drawn();
    assert_true(texts_that_are(svg, "'all sums are exact'") == 1);
    assert_true(svg_number(svg, "count(//s:text)") == 2);
    free(svg);
}

static void numbers_without_a_place_are_not_in_the_picture(void **state)
{
    (void)state;
    char *before = drawn();
    struct chart_mark *line = chart.panels[0]->marks[1], *band = chart.panels[0]->marks[0];
    const double none[] = {NAN, INFINITY, -INFINITY, 0}; /* 0 has no place on a logarithmic axis */
    for (int i = 0; i < 4; i++) {
        chart_point(line, 4096, none[i], NAN, NULL);
        chart_point(line, none[i], 1, NAN, NULL);
        chart_point(band, 4096, 1, none[i], NULL);
    }
    char *after = drawn();
    assert_string_equal(before, after);
    assert_true(!strstr(after, "inf") && !strstr(after, "nan"));
    chart_point(line, 4096, 1, NAN, NULL);
    char *other = drawn();
    assert_string_not_equal(before, other);
    free(before);
    free(after);
    free(other);
}

static void panels_and_marks_without_points_are_drawn_empty(void **state)
{
    (void)state;
    chart_panel(&chart, "nothing");
    chart_mark(chart_panel(&chart, "no point"), MARK_BARS, "sums", COLOUR_GOOD)->numbered = true;
    char *svg = drawn();
    assert_true(texts_that_are(svg, "'nothing'") == 1);
    assert_true(texts_that_are(svg, "'no point'") == 1);
    assert_true(texts_that_are(svg, "'sums'") == 0); /* nothing to explain */
    free(svg);
}

static double height_drawn(void)
{
    char *svg = drawn();
    const double height =
        svg_number(svg, "substring-after(substring-after(substring-after(/*/@viewBox, ' '), ' '), ' ')");
    free(svg);
    return height;
}

static void panels_without_titles_leave_no_room_for_them(void **state)
{
    (void)state;
    const double with = height_drawn();
    for (size_t p = 0; p < chart.panel_count; p++) {
        assert_true(height_drawn() == with); /* one title takes the room of all */
        chart.panels[p]->title[0] = '\0';
        if (chart.panels[p]->note)
            chart.panels[p]->note[0] = '\0';
    }
    assert_true(height_drawn() < with - 15);
}

static void boxes_may_touch_and_not_overlap(void **state)
{
    (void)state;
    struct boxes taken = {0};
    boxes_add(&taken, (struct box){10, 10, 20, 20});
    assert_true(boxes_clear(&taken, (struct box){20, 10, 30, 20}));
    assert_false(boxes_clear(&taken, (struct box){19, 10, 30, 20}));
    assert_false(boxes_clear(&taken, (struct box){0, 0, 30, 30}));
    boxes_free(&taken);
}

/* ---- axes ---- */

static void tick_texts_are(const struct chart_axis *axis, const char *expected)
{
    char all[256] = "";
    struct axis_ticks ticks = axis_ticks(axis, 600, 44);
    for (size_t i = 0; i < ticks.count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "", ticks.list[i].text);
    assert_string_equal(all, expected);
    axis_ticks_free(&ticks);
}

static void ticks_are_round_and_few(void **state)
{
    (void)state;
    tick_texts_are(&(struct chart_axis){.scale = SCALE_LOG2, .least = 0x1p-33, .most = 1},
                   "2^{-32} 2^{-28} 2^{-24} 2^{-20} 2^{-16} 2^{-12} 2^{-8} 2^{-4} 1");
    tick_texts_are(&(struct chart_axis){.scale = SCALE_LOG10, .least = 0.5, .most = 2000}, "1 10 10^{2} 10^{3}");
    tick_texts_are(&(struct chart_axis){.least = -0.2, .most = 1}, "-0.2 -0.1 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    tick_texts_are(&(struct chart_axis){.scale = SCALE_LOG10, .least = 2, .most = 8}, "2 4 6 8");
    tick_texts_are(&(struct chart_axis){.least = 1, .most = 1}, "");
    tick_texts_are(&chart.y, "exact 10^{-2} 10^{-1} 1 10 10^{2} 10^{3}"); /* none below what stands apart */
    chart_tick(&chart.y, 10, false, "ten");
    tick_texts_are(&chart.y, "exact ten");
}

static void only_powers_are_raised(void **state)
{
    (void)state;
    assert_true(letters_are_power("2^{-24}"));
    assert_true(letters_are_power("1.5 x 10^{3}"));
    const char *const others[] = {"",         "2",     "2^-24",  "2^{-24", "2^{}", "2^{x}",
                                  "2^{-24}'", "a^{2}", "2a^{2}", "x^{2}",  NASTY};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(letters_are_power(others[i]));
}

/* ---- the table ---- */

static void grid_is(const char *expected)
{
    char all[2048] = "";
    struct grid grid = chart_grid(&chart);
    for (size_t row = 0; row < grid.rows; row++)
        for (size_t column = 0; column < grid.columns; column++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", grid_text(&grid, row, column),
                     column + 1 < grid.columns ? "|" : "\n");
    assert_string_equal(all, expected);
    grid_free(&grid);
}

static void new_chart(void)
{
    chart_free(&chart);
    chart_begin(&chart, "new");
    chart_set(&chart.x.label, "n");
    chart_set(&chart.y.label, "error");
    chart.x.most = chart.y.most = 10000;
}

static void a_chart_of_one_name_has_a_column_a_panel(void **state)
{
    (void)state;
    new_chart();
    struct chart_mark *bars = chart_mark(chart_panel(&chart, "a"), MARK_BARS, "sums", COLOUR_MAIN);
    bars->numbered = true;
    chart_point(bars, 2, 1234567, NAN, "two");
    chart_point(bars, 1, 0, NAN, NULL);
    struct chart_mark *others = chart_mark(chart_panel(&chart, "b"), MARK_BARS, "sums", COLOUR_GOOD);
    others->numbered = true;
    chart_point(others, 2, 3, NAN, NULL);
    grid_is("n|a|b\n1|0|-\ntwo|1234567|3\nall|1234567|3\n");
    others->no_total = true;
    grid_is("n|a|b\n1|0|-\ntwo|1234567|3\n");
    others->numbered = false; /* then these are no counts, and their sum says nothing */
    grid_is("n|a|b\n1|0|-\ntwo|1.23e+06|3.00\n");
    chart.y.errors = true;
    grid_is("n|a|b\n1|0|-\ntwo|1.24e+06|3.00\n");
}

static void a_chart_of_several_names_has_a_column_a_name(void **state)
{
    (void)state;
    new_chart();
    chart_set(&chart.y.unit, "ulp");
    chart_tick(&chart.y, 0.001, true, "exact");
    for (int p = 0; p < 2; p++) {
        struct chart_panel *panel = chart_panel(&chart, p ? "b" : "a");
        struct chart_mark *band = chart_mark(panel, MARK_BAND, "half", COLOUR_MAIN),
                          *line = chart_mark(panel, MARK_LINE, "max", COLOUR_MAIN);
        chart_mark(panel, MARK_LINE, "hidden", COLOUR_QUIET)->off_the_table = true;
        chart_point(panel->marks[2], 7, 7, NAN, NULL);
        chart_point(chart_mark(panel, MARK_RULE_Y, "1 ulp", COLOUR_QUIET), NAN, 1, NAN, NULL);
        chart_point(line, 1024, p ? 0.001 : INFINITY, NAN, NULL);
        if (p == 0)
            chart_point(band, 1024, 0.25, 14.4, NULL);
    }
    grid_is("|n|half (ulp)|max (ulp)\na|1024|0.25 to 14.4|inf\nb|1024|-|exact\n");
}

static void an_empty_chart_has_an_empty_table(void **state)
{
    (void)state;
    new_chart();
    grid_is("");
    chart_panel(&chart, "nothing");
    grid_is("");
}

/* ---- the histogram ---- */

enum { MANY = 40 };
static char names[MANY][32];
static struct method_record methods[MANY];
static char spec_text[] = "uniform:n=1024";
static struct spec_record spec = {.text = spec_text};
static struct entry_record entry = {.text = spec_text, .specs = &spec, .spec_count = 1, .trials = 100};
static struct launch launch = {1, 1};
static struct series series[MANY];
static struct results results = {
    .study =
        {.methods = methods, .launches = &launch, .launch_count = 1, .entries = &entry, .entry_count = 1, .repeats = 1},
    .series = series};

static int bin_of_histograms = -26;
static uint64_t no_digit_of_last;

/* Methods of `accumulators` accumulators in turn, each with 90 sums in that bin and `exact` exact ones. */
static void histogram_of(size_t count, size_t accumulators, uint64_t exact)
{
    struct group group;
    for (size_t m = 0; m < count; m++) {
        snprintf(names[m], sizeof *names, "a%zu/o%zu", m % accumulators, m);
        methods[m].id = names[m];
        series[m] = (struct series){.method = names[m],
                                    .data = spec_text,
                                    .format = &FORMAT_BINARY32,
                                    .backend = BACKEND_OF(replay),
                                    .device = "host",
                                    .launch = {1, 1},
                                    .count = 90 + exact};
        series[m].histogram.bin[bin_of_histograms - HISTOGRAM_LEAST] = 90;
        series[m].histogram.exact = exact;
        series[m].histogram.no_digit = m + 1 == count ? no_digit_of_last : 0;
    }
    results.study.method_count = results.series_count = count;
    chart_free(&chart);
    group_make(&results, 0, &group);
    histogram_chart(&results, &group, &chart);
    group_free(&group);
}

static double rule_at(const char *name)
{
    for (size_t m = 0; m < chart.panels[0]->mark_count; m++)
        if (strcmp(chart.panels[0]->marks[m]->name, name) == 0 && chart.panels[0]->marks[m]->point_count == 1)
            return chart.panels[0]->marks[m]->points[0].x;
    return NAN;
}

static void a_histogram_marks_the_bars_of_its_quantiles(void **state)
{
    (void)state;
    histogram_of(1, 1, 0);
    assert_true(rule_at("p50") > 0x1p-26 && rule_at("p50") < rule_at("p99") && rule_at("p99") < 0x1p-25);
    histogram_of(1, 1, 90); /* the 90th of 180 is the last exact one */
    assert_true(chart_is_apart(&chart.x, rule_at("p50")) && rule_at("p99") == 0x1.6a09e667f3bcdp-26);
    histogram_of(1, 1, 89); /* the 90th of 179 is not */
    assert_false(chart_is_apart(&chart.x, rule_at("p50")));
    assert_true(rule_at("u = 2\u207b\u00b2\u2074") == 0x1p-24);
}

/* Where binary64 has no room for what stands to their left. */
static void bars_below_2_to_the_799_are_one(void **state)
{
    static const int bins[] = {-1074, -801, -800, -799};
    (void)state;
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        bin_of_histograms = bins[i];
        histogram_of(1, 1, 1);
        const struct chart_point *bar = &chart.panels[0]->marks[0]->points[0];
        assert_string_equal(bar->label, bins[i] < -799 ? "0 up to 2^-799" : "2^-799 up to 2^-798");
        assert_true(bar->y == 90 && chart.x.least > 0 && bar->x > chart.x.least && isfinite(chart.x.most));
        assert_true(bar->x == ldexp(0x1.6a09e667f3bcdp+0, bins[i] < -799 ? -800 : -799));
    }
    bin_of_histograms = -26;
}

static bool caption_says(const char *fact)
{
    assert_true(chart.reading > 0 && chart.reading < strlen(chart.caption));
    return strstr(chart.caption + chart.reading, fact) != NULL;
}

static void a_histogram_says_who_is_below_u_and_who_has_no_digit(void **state)
{
    (void)state;
    histogram_of(3, 3, 10);
    assert_true(caption_says("All sums of all methods are below u.") && !caption_says("no digit"));
    bin_of_histograms = -24; /* u itself */
    histogram_of(3, 3, 10);
    assert_true(caption_says("No method has all its sums below u."));
    bin_of_histograms = -26;
    no_digit_of_last = 7;
    histogram_of(3, 3, 10);
    assert_true(caption_says("All sums of a0/o0 and 1 other are below u. a2/o2 has no correct digit in 7 of 107."));
    no_digit_of_last = 0;
    assert_false(caption_says("conditions"));
}

static void a_histogram_of_many_methods_draws_one_an_accumulator(void **state)
{
    (void)state;
    histogram_of(2, 2, 1);
    assert_true(chart.panel_count == 2 && chart.columns == 1 && !strstr(chart.subtitle, "drawn"));
    histogram_of(4, 2, 1);
    assert_true(chart.panel_count == 4 && chart.columns == 2);
    histogram_of(18, 9, 1);
    assert_true(chart.panel_count == 18 && chart.columns == 2);
    histogram_of(40, 9, 1);
    assert_int_equal(chart.panel_count, 9);
    assert_string_equal(chart.panels[8]->title, "a8/o8");
    assert_non_null(strstr(chart.subtitle, "9 of 40 methods drawn"));
    assert_true(caption_says("9 of 40 methods are drawn: the first of each accumulator."));
    histogram_of(40, 40, 1);
    assert_int_equal(chart.panel_count, 18);
    assert_true(caption_says("18 of 40 methods are drawn: the first of each accumulator, as far as the first 18 of 40 "
                             "accumulators."));
}

#define FACT(name) cmocka_unit_test_setup_teardown(name, build, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(svg_is_xml_and_says_any_name_as_it_is),
        FACT(a_narrow_axis_of_powers_of_two_has_several_numbers),
        FACT(numbers_of_a_picture_are_tidy_csv),
        FACT(svg_and_its_shapes_are_named),
        FACT(svg_has_all_points_where_they_belong),
        FACT(svg_has_the_axes_once_a_column_and_a_row),
        FACT(ticks_at_the_foot_without_room_are_dropped),
        FACT(equal_charts_are_equal_bytes_in_any_locale),
        FACT(a_missing_chart_is_a_sentence_without_axes),
        FACT(numbers_without_a_place_are_not_in_the_picture),
        FACT(panels_and_marks_without_points_are_drawn_empty),
        FACT(panels_without_titles_leave_no_room_for_them),
        FACT(boxes_may_touch_and_not_overlap),
        FACT(ticks_are_round_and_few),
        FACT(only_powers_are_raised),
        FACT(a_chart_of_one_name_has_a_column_a_panel),
        FACT(a_chart_of_several_names_has_a_column_a_name),
        FACT(an_empty_chart_has_an_empty_table),
        FACT(a_histogram_marks_the_bars_of_its_quantiles),
        FACT(bars_below_2_to_the_799_are_one),
        FACT(a_histogram_says_who_is_below_u_and_who_has_no_digit),
        FACT(a_histogram_of_many_methods_draws_one_an_accumulator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
