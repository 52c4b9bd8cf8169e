/* Three thirds of a number that has no third. */
#include "src/teach/tools/lesson_tools.h"

#include <math.h>

static void draw_multiples(struct sheet *sheet, float third)
{
    struct chart *chart = sheet_chart(sheet, "thirds-multiples", 200);
    struct chart_mark *line = chart_mark(chart_panel(chart, ""), MARK_LINE, "k thirds", COLOUR_MAIN);
    for (int k = 1; k <= 3; k++)
        chart_point(line, k, (double)third * k, NAN, NULL);
    chart_set(&chart->title, "Thirds of one");
    chart_set(&chart->subtitle, "k times the number of binary32 that is nearest to 1/3");
    chart_set(&chart->caption, "The third of them is a little above 1.");
    lesson_axis(&chart->x, "k", SCALE_LINEAR, 0, 3);
    lesson_axis(&chart->y, "k thirds", SCALE_LINEAR, 0, 3);
}

enum status lesson_thirds(struct sheet *sheet)
{
    const float third = 1.0f / 3, three[] = {third, third, third};
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    TRY(lesson_data_of(three, 3, &data));
    TRY(lesson_add("plain/serial", one_thread, &data, &sum));
    say_question("What is 1/3 + 1/3 + 1/3 in binary32?");
    say_prediction("Less than 1, 1, or more?");
    say("It is %.9g: the third is above 1/3, and the last addition rounds that away.", (double)sum.computed);
    predict((double)sum.computed, "What is it?", "Is the float nearest to 1/3 above or below it?",
            "Each third is above 1/3, and the last addition rounds that away.");
    draw_multiples(sheet, third);
    say_theorem("IEEE 754", "A sum is the exact one, rounded once.");
    say_exercise("And ten tenths?");
    say_answer("1.00000012: 0.1 is rounded up, too.");
    say("Go on: `ulpscope lesson rounding` has another three.");
    return OK;
}
