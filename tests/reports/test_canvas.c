/* The canvas writes what it is told, in few bytes, and always the same ones. */
#include "reports/canvas/canvas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct canvas canvas;

static int begin(void **state)
{
    (void)state;
    canvas_begin(&canvas, 200, 100, "a title", "what it is");
    return 0;
}

static char *ended(void)
{
    struct picture picture;
    canvas_take(&canvas, &picture);
    return picture.svg;
}

static const struct brush main_line = {COLOUR_MAIN, "stroke", "a & b"};

static void numbers_are_hundredths_without_zeros_at_their_end(void **state)
{
    (void)state;
    static const struct {
        double pixels;
        const char *text;
    } numbers[] = {{16, "16"},    {16.5, "16.5"}, {16.25, "16.25"},   {16.05, "16.05"}, {1e5 / 3, "33333.33"},
                   {-0.004, "0"}, {-0.5, "-0.5"}, {-12.34, "-12.34"}, {0.999, "1"},     {100, "100"},
                   {0.1, "0.1"}};
    char expected[32];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        canvas_dot(&canvas, numbers[i].pixels, 0, 1);
    char *svg = ended();
    const char *at = svg;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(expected, sizeof expected, "<circle cx=\"%s\" cy", numbers[i].text);
        at = strstr(at, "<circle");
        assert_memory_equal(at, expected, strlen(expected));
        at++;
    }
    free(svg);
}

static void a_path_is_written_by_its_stroke_and_once(void **state)
{
    (void)state;
    canvas_move(&canvas, 1, 2);
    canvas_draw(&canvas, 3, 2);
    canvas_draw(&canvas, 3, 4);
    canvas_draw(&canvas, 5, 6.5);
    canvas_stroke(&canvas, main_line, 2, true);
    canvas_stroke(&canvas, main_line, 2, true); /* of nothing */
    canvas_box(&canvas, (struct box){10, 20, 30, 40});
    canvas_fill(&canvas, main_line, 0.5);
    canvas_line(&canvas, 7, 7, 8, 8); /* the twin: it is forgotten */
    char *svg = ended();
    assert_true(svg_number(svg, "count(//s:path[@d='M1,2H3V4L5,6.5'][@stroke-width='2'][@stroke-dasharray='5 3'])") ==
                1);
    assert_true(svg_number(svg, "count(//s:path[@d='M10,20H30V40H10Z'][@fill-opacity='0.5'])") == 1);
    assert_true(svg_number(svg, "count(//s:path[@class='stroke main'][s:title='a & b'])") == 2);
    assert_true(svg_number(svg, "count(//s:path)") == 3); /* with the paper */
    free(svg);
}

static void a_group_gives_what_is_in_it_its_colour(void **state)
{
    (void)state;
    canvas_open(&canvas, (struct brush){COLOUR_HEAT + 6, "join", "two\nlines"});
    canvas_line(&canvas, 0, 0, 1, 1);
    canvas_stroke(&canvas, (struct brush){.kind = NULL}, 1, false);
    canvas_close(&canvas);
    char *svg = ended();
    assert_true(svg_number(svg, "count(//s:g[@class='join heat-7'][@color='#5f1010']/s:path[not(@class)])") == 1);
    assert_true(svg_number_of(svg, "count(//s:g[s:title=$text])", "two\nlines") == 1);
    free(svg);
}

static void a_text_is_cut_to_its_room(void **state)
{
    (void)state;
    static const char name[] = "kahan/tree_two_pass";
    const double width = letters_width(name, 12);
    canvas_text(&canvas, 0, 0, (struct lettering){.room = width}, name);
    canvas_text(&canvas, 0, 0, (struct lettering){.room = 0}, name);
    canvas_text(&canvas, 0, 0, (struct lettering){.room = width - 1}, name);
    canvas_text(&canvas, 0, 0, (struct lettering){.room = letters_width("...", 12) + 12},
                "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4");
    char *svg = ended();
    assert_true(svg_number_of(svg, "count(//s:text[.=$text])", name) == 2);
    assert_true(
        svg_number(svg,
                   "count(//s:text[starts-with(., 'kahan/tree_two_')][substring(., string-length(.) - 2) = '...'])") ==
        1);
    assert_true(svg_number_of(svg, "count(//s:text[.=$text])", "\u00e4...") == 1);
    free(svg);
}

static void a_power_is_raised_and_no_other_text(void **state)
{
    (void)state;
    canvas_text(&canvas, 0, 0, (struct lettering){.size = 10}, "2^{-24}");
    canvas_text(&canvas, 0, 0, (struct lettering){.size = 10}, "x^{-24}");
    char *svg = ended();
    assert_true(svg_number(svg, "count(//s:text[.='2-24']/s:tspan[.='-24'][@dy='-5'][@font-size='8'])") == 1);
    assert_true(svg_number(svg, "count(//s:text[.='x^{-24}'][not(s:tspan)])") == 1);
    free(svg);
}

static void a_text_stands_with_its_middle_at_y_or_x(void **state)
{
    (void)state;
    canvas_text(&canvas, 50, 40, (struct lettering){.size = 20, .anchor = ANCHOR_END}, "level");
    canvas_text(&canvas, 50, 40, (struct lettering){.size = 20, .upwards = true}, "upwards");
    char *svg = ended();
    assert_true(svg_number(svg, "count(//s:text[.='level'][@x='50'][@y='46.5'][@text-anchor='end'])") == 1);
    assert_true(svg_number(svg, "count(//s:text[.='upwards'][@x='56.5'][@y='40'][@transform='rotate(-90 56.5 40)'])") ==
                1);
    free(svg);
}

static void only_used_colours_have_a_rule(void **state)
{
    (void)state;
    canvas_text(&canvas, 0, 0, (struct lettering){.colour = COLOUR_SOFT}, "soft");
    char *svg = ended();
    assert_non_null(strstr(svg, ".ulpscope .soft { color: #9aa5b1; }"));
    assert_non_null(strstr(svg, ".ulpscope, .ulpscope .ink { color: #e4e8ec; }"));
    assert_null(strstr(svg, ".heat-1"));
    free(svg);
}

#define FACT(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(numbers_are_hundredths_without_zeros_at_their_end),
        FACT(a_path_is_written_by_its_stroke_and_once),
        FACT(a_group_gives_what_is_in_it_its_colour),
        FACT(a_text_is_cut_to_its_room),
        FACT(a_power_is_raised_and_no_other_text),
        FACT(a_text_stands_with_its_middle_at_y_or_x),
        FACT(only_used_colours_have_a_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
