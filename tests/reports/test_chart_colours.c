/* What is drawn stands out from its ground, on the light page and on the dark one: text by 4.5, and lines and dots that
 * carry meaning by 3 (WCAG 2.1, 1.4.3 and 1.4.11). */
#include "reports/chart/chart_svg.h"
#include "reports/page/page_style.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- colours ---- */

struct colour {
    double part[3]; /* red, green, blue, from 0 to 1 */
};

static struct colour colour_of(const char *hex)
{
    unsigned parts[3];
    assert_int_equal(sscanf(hex, "#%2x%2x%2x", &parts[0], &parts[1], &parts[2]), 3);
    return (struct colour){{parts[0] / 255.0, parts[1] / 255.0, parts[2] / 255.0}};
}

/* invert(0.9) hue-rotate(180deg), as Filter Effects 1 defines them. */
static struct colour darkened(struct colour light)
{
    static const double rotated[3][3] = {{-0.574, 1.430, 0.144}, {0.426, 0.430, 0.144}, {0.426, 1.430, -0.856}};
    struct colour dark = {{0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            dark.part[i] += rotated[i][k] * (0.9 - 0.8 * light.part[k]);
        dark.part[i] = fmin(fmax(dark.part[i], 0), 1);
    }
    return dark;
}

static double luminance(struct colour colour)
{
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double part = colour.part[i];
        sum += weights[i] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(struct colour one, struct colour other)
{
    const double a = luminance(one), b = luminance(other);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* To the picture's ground, on the page where it is less. */
static double least_contrast(const char *hex)
{
    const struct colour white = colour_of("#ffffff"), colour = colour_of(hex);
    return fmin(contrast(colour, white), contrast(darkened(colour), darkened(white)));
}

/* ---- what is drawn ---- */

static void the_dark_page_has_the_filter_that_is_reckoned_with(void **state)
{
    (void)state;
    bool found = false;
    for (size_t i = 0; i < sizeof page_style / sizeof *page_style; i++)
        found |= strstr(page_style[i], ".panel img { filter: invert(0.9) hue-rotate(180deg); }") != NULL;
    assert_true(found);
    assert_true(fabs(contrast(colour_of("#ffffff"), colour_of("#000000")) - 21) < 1e-9);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(darkened(colour_of("#ffffff")).part[i] - 0.1) < 1e-9);
}

static void lines_and_dots_stand_out_by_three(void **state)
{
    (void)state;
    for (int i = 0; i < COLOURS; i++)
        assert_true(least_contrast(chart_colour_hex((enum chart_colour)i)) >= 3);
    assert_true(least_contrast("#9a9a9a") < 3); /* the twin */
}

/* A panel with a mark of each kind, numbers of 0, labels, a note, and ticks: all that has a colour. */
static char *script_of_everything(void)
{
    struct chart chart;
    chart_begin(&chart, "all");
    chart_set(&chart, &chart.title, "title");
    chart_set(&chart, &chart.subtitle, "subtitle");
    chart.x.least = chart.y.least = 0;
    chart.x.most = chart.y.most = 10;
    chart_set(&chart, &chart.x.label, "x");
    chart_set(&chart, &chart.y.label, "y");
    chart_tick(&chart, &chart.x, 1, true, "apart");
    struct chart_panel *panel = chart_panel(&chart, "panel");
    chart_set(&chart, &panel->note, "note");
    for (int kind = MARK_BARS; kind <= MARK_RULE_Y; kind++) {
        struct chart_mark *mark = chart_mark(&chart, panel, (enum chart_mark_kind)kind, "mark", COLOUR_QUIET);
        mark->numbered = kind == MARK_BARS;
        mark->labelled = mark->pointed_at = kind == MARK_POINTS;
        mark->width = 0.5;
        for (int i = 0; i < 40; i++)
            chart_point(&chart, mark, i % 4 + 1, i % 3, 5, "label");
    }
    char *script = chart_script(&chart);
    chart_free(&chart);
    assert_non_null(script);
    return script;
}

/* How many times a colour stands behind the word, each of which must stand out. */
static size_t colours_stand_out(const char *script, const char *word, double least)
{
    /* The grid lies behind what it measures: one shall see it when looking for it and not before.  White is the ground.
     */
    static const char grid[] = "#e8e8e8";
    size_t count = 0;
    for (const char *at = script; (at = strstr(at, word)); at++, count++) {
        const char *hex = at + strlen(word);
        if (strncmp(hex, "white", 5) != 0 && strncmp(hex, grid, strlen(grid)) != 0)
            assert_true(least_contrast(hex) >= least);
    }
    return count;
}

static void all_that_a_picture_consists_of_stands_out(void **state)
{
    (void)state;
    char *script = script_of_everything();
    assert_true(colours_stand_out(script, "textcolor rgb '", 4.5) > 20);
    assert_true(colours_stand_out(script, " lc rgb '", 3) > 5);
    assert_true(colours_stand_out(script, " fc rgb '", 3) > 1);
    assert_true(least_contrast(chart_colour_hex(COLOUR_QUIET)) < 4.5); /* the twin: as text it would be noticed */
    free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dark_page_has_the_filter_that_is_reckoned_with),
        cmocka_unit_test(lines_and_dots_stand_out_by_three),
        cmocka_unit_test(all_that_a_picture_consists_of_stands_out),
    };
    return cmocka_run_group_tests_name("chart colours", tests, NULL, NULL);
}
