/* What is drawn stands out from its ground, on light paper and on dark: text by 4.5, and lines and dots that
 * carry meaning by 3 (WCAG 2.1, 1.4.3 and 1.4.11). */
#include "reports/chart/chart_svg.h"
#include "reports/page/page_style.h"
#include "tests/support/svg.h"

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

struct rgb {
    double part[3]; /* red, green, blue, from 0 to 1 */
};

static struct rgb rgb_of(const char *hex)
{
    unsigned parts[3];
    assert_int_equal(sscanf(hex, "#%2x%2x%2x", &parts[0], &parts[1], &parts[2]), 3);
    return (struct rgb){{parts[0] / 255.0, parts[1] / 255.0, parts[2] / 255.0}};
}

static double luminance(struct rgb colour)
{
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double part = colour.part[i];
        sum += weights[i] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(struct rgb one, struct rgb other)
{
    const double a = luminance(one), b = luminance(other);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static double of_two(const char *one, const char *other)
{
    return contrast(rgb_of(one), rgb_of(other));
}

/* Of two colours, on the paper where it is less. */
static double least_contrast(enum colour one, enum colour other)
{
    return fmin(of_two(palette[one].light, palette[other].light), of_two(palette[one].dark, palette[other].dark));
}

/* ---- the palette ---- */

static void lines_and_dots_stand_out_by_three(void **state)
{
    (void)state;
    assert_true(fabs(of_two("#ffffff", "#000000") - 21) < 1e-9);
    for (enum colour i = COLOUR_INK; i <= COLOUR_LINE; i++)
        assert_true(least_contrast(i, COLOUR_PAPER) >= 3);
    assert_true(least_contrast(COLOUR_GRID, COLOUR_PAPER) < 3); /* the twin, which is seen when one looks for it */
}

static void texts_stand_out_by_more(void **state)
{
    (void)state;
    assert_true(least_contrast(COLOUR_INK, COLOUR_PAPER) >= 4.5);
    assert_true(least_contrast(COLOUR_SOFT, COLOUR_PAPER) >= 4.5);
    assert_true(least_contrast(COLOUR_QUIET, COLOUR_PAPER) < 4.5); /* the twin: as text it would be noticed */
}

static void quantiles_are_seen_on_bars(void **state)
{
    (void)state;
    assert_true(least_contrast(COLOUR_SECOND, COLOUR_MAIN) >= 1.9);
    assert_true(least_contrast(COLOUR_QUIET, COLOUR_MAIN) < 1.9); /* the twin */
}

static void hotter_is_farther_from_the_paper(void **state)
{
    (void)state;
    for (int i = COLOUR_HEAT + 1; i < COLOURS; i++) {
        const struct shade *cooler = &palette[i - 1], *hotter = &palette[i], *paper = &palette[COLOUR_PAPER];
        assert_true(of_two(hotter->light, paper->light) > of_two(cooler->light, paper->light));
        assert_true(of_two(hotter->dark, paper->dark) > of_two(cooler->dark, paper->dark));
    }
    assert_false(of_two(palette[COLOURS - 1].dark, "#ffffff") >
                 of_two(palette[COLOUR_HEAT].dark, "#ffffff")); /* the twin */
}

static void pictures_and_page_have_one_paper_and_one_ink(void **state)
{
    (void)state;
    char words[64];
    for (int dark = 0; dark < 2; dark++)
        for (int ink = 0; ink < 2; ink++) {
            const struct shade *shade = &palette[ink ? COLOUR_INK : COLOUR_PAPER];
            snprintf(words, sizeof words, "--%s: %s;", ink ? "ink" : "paper", dark ? shade->dark : shade->light);
            const char *dark_part = strstr(page_style[0], "prefers-color-scheme: dark"),
                       *found = strstr(page_style[0], words);
            assert_true(found && (found > dark_part) == dark);
        }
}

/* ---- what is drawn ---- */

/* A panel with a mark of each kind, numbers of 0, a note, and ticks: all that has a colour. */
static char *everything(void)
{
    struct chart chart;
    struct picture picture;
    chart_begin(&chart, "all");
    chart_set(&chart.title, "title");
    chart_set(&chart.subtitle, "subtitle");
    chart.x.least = chart.y.least = 0;
    chart.x.most = chart.y.most = 10;
    chart_set(&chart.x.label, "x");
    chart_set(&chart.y.label, "y");
    chart_tick(&chart.x, 1, true, "apart");
    struct chart_panel *panel = chart_panel(&chart, "panel");
    chart_set(&panel->note, "note");
    for (int kind = MARK_BARS; kind <= MARK_RULE_Y; kind++) {
        struct chart_mark *mark = chart_mark(panel, (enum chart_mark_kind)kind, "mark", COLOUR_QUIET);
        mark->numbered = kind == MARK_BARS;
        mark->width = 0.5;
        for (int i = 0; i < 40; i++)
            chart_point(mark, i % 4 + 1, i % 3, 5, "label");
    }
    chart_svg(&chart, &picture);
    chart_free(&chart);
    return picture.svg;
}

/* What has a class has the light colour of the palette's last word in it, a rule for dark paper, and no other rule. */
static void every_colour_of_a_picture_has_its_rule_for_dark_paper(void **state)
{
    (void)state;
    char *svg = everything(), words[160];
    double coloured = 0;
    for (int i = 0; i < COLOURS; i++) {
        const struct shade *shade = &palette[i];
        snprintf(words, sizeof words, "count(//*[@color='%s'][contains(concat(' ', @class, ' '), ' %s ')])",
                 shade->light, shade->name);
        const double count = svg_number(svg, words);
        coloured += count;
        snprintf(words, sizeof words, "count(//*[contains(concat(' ', @class, ' '), ' %s ')])", shade->name);
        assert_true(svg_number(svg, words) == count);
        snprintf(words, sizeof words, ".ulpscope .%s { color: %s; }", shade->name, shade->dark);
        assert_int_equal(strstr(svg, words) != NULL, count > 0);
    }
    assert_true(coloured > 10);
    assert_true(svg_number(svg, "count(//*[@class or @color])") == coloured);
    assert_true(svg_number(svg, "count(//@*[starts-with(., '#')]) - count(//@color)") == 0); /* and no colour else */
    assert_non_null(strstr(svg, "@media screen and (prefers-color-scheme: dark) {"));
    free(svg);
}

static void texts_of_a_picture_are_ink_or_soft(void **state)
{
    (void)state;
    char *svg = everything();
    assert_true(svg_number(svg, "count(//s:text)") > 10);
    assert_true(svg_number(svg, "count(//s:text[@class and @class != 'soft'] | //s:g//s:text)") == 0);
    assert_true(svg_number(svg, "count(//s:path[@class and @class != 'soft'])") > 5); /* the twin */
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_dots_stand_out_by_three),
        cmocka_unit_test(texts_stand_out_by_more),
        cmocka_unit_test(quantiles_are_seen_on_bars),
        cmocka_unit_test(hotter_is_farther_from_the_paper),
        cmocka_unit_test(pictures_and_page_have_one_paper_and_one_ink),
        cmocka_unit_test(every_colour_of_a_picture_has_its_rule_for_dark_paper),
        cmocka_unit_test(texts_of_a_picture_are_ink_or_soft),
    };
    return cmocka_run_group_tests_name("chart colours", tests, NULL, NULL);
}
