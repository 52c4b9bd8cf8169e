/* Three thirds of a number that has no third. */
#include "src/teach/tools/lesson_tools.h"

#include <math.h>

static void draw_multiples(struct sheet *sheet, float third)
{
    struct chart *chart = sheet_chart(sheet, "thirds-multiples");
    struct chart_mark *line = chart_mark(chart_panel(chart, ""), MARK_LINE, "k thirds", COLOUR_MAIN);
    for (int k = 1; k <= 3; k++)
        chart_point(line, k, (double)third * k, NAN, NULL);
    chart_set(&chart->title, "Thirds of one");
    chart_set(&chart->subtitle, "k times the number of binary32 that is nearest to 1/3");
    chart_set(&chart->caption, "The third of them is a little above 1.");
    chart->x = chart->y = (struct chart_axis){.least = 0, .most = 3};
    chart->panel_height = 200;
    chart_set(&chart->x.label, "k");
    chart_set(&chart->y.label, "k thirds");
}

enum status lesson_thirds(struct sheet *sheet)
{
    const float third = 1.0f / 3, three[] = {third, third, third};
    struct lesson_data data;
    struct lesson_sum sum;
    TRY(lesson_data_of(three, 3, &data));
    const enum status status = lesson_add("plain/serial", one_thread, &data, &sum);
    lesson_data_free(&data);
    TRY(status);
    say_question("What is 1/3 + 1/3 + 1/3 in binary32?");
    say_prediction("Less than 1, 1, or more?");
    say("It is %.9g: the third is above 1/3, and the last addition rounds that away.", (double)sum.computed);
    draw_multiples(sheet, third);
    say_theorem("IEEE 754", "A sum is the exact one, rounded once.");
    say_exercise("And ten tenths?");
    say_answer("1.00000012: 0.1 is rounded up, too.");
    say("Go on: `ulpscope triple 0.1 0.2 0.3` has another three.");
    return OK;
}
