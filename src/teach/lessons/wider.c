/* Numbers of 16 bits are added in 32 and rounded once: what that saves, and what it cannot. */
#include "src/teach/tools/lesson_tools.h"

enum { PAIRS = 20000 };

/* Of so many pairs, how many have another sum when binary32 comes between. */
static enum status count_other_sums(uint64_t *others)
{
    FREED_BY(lesson_data_free) struct lesson_data numbers = {0};
    *others = 0;
    TRY(lesson_data_made("lognormal:n=20001,format=binary16", 1, &numbers));
    for (uint64_t i = 0; i < PAIRS; i++) {
        const struct lesson_data pair = {.format = numbers.format, .x = numbers.x + i, .n = 2};
        struct lesson_sum own, wider;
        TRY(lesson_add_first("plain/serial@binary16_in_binary16", one_thread, &pair, 2, &own));
        TRY(lesson_add_first("plain/serial@binary16", one_thread, &pair, 2, &wider));
        *others += own.computed != wider.computed;
    }
    return OK;
}

static enum status tell_one_addition(struct sheet *sheet)
{
    uint64_t others = 0;
    TRY(count_other_sums(&others));
    TRY(lesson_claim(sheet, others == 0, "one addition in binary32, rounded, is one addition in binary16"));
    say_heading("One addition");
    say("Of %s random pairs of binary16, added in binary16 and added in binary32 and rounded, %s have two different "
        "sums. So it is not that a wider addition is a better one. What counts is how often a sum is rounded to 11 "
        "bits, or to the 8 of bfloat16: after each addition, or once.",
        grouped_text(PAIRS), others == 0 ? "none" : grouped_text(others));
    return OK;
}

static const struct launch launch = {64, 256}; /* for pairs; a loop takes any */

enum { SETS = 5, SIZES = 7, WAYS = 4 };
static const uint64_t sizes[SIZES] = {16, 64, 256, 1024, 4096, 16384, 65536};

static const struct way {
    const char *method, *name;
    enum colour colour;
} ways[WAYS] = {
    {"plain/serial@bfloat16_in_bfloat16", "loop in bfloat16", COLOUR_BAD},
    {"plain/pairwise@bfloat16_in_bfloat16", "in pairs, in bfloat16", COLOUR_UNKNOWN},
    {"kahan/serial@bfloat16_in_bfloat16", "Kahan in bfloat16", COLOUR_SECOND},
    {"plain/serial@bfloat16", "loop in binary32, rounded once", COLOUR_MAIN},
};

/* The largest error of a few sets, in ulps of bfloat16. */
static enum status measure(double errors[WAYS][SIZES])
{
    for (size_t s = 0; s < SIZES; s++)
        for (uint64_t seed = 1; seed <= SETS; seed++) {
            char spec[64];
            FREED_BY(lesson_data_free) struct lesson_data data = {0};
            struct lesson_sum sum;
            snprintf(spec, sizeof spec, "uniform:n=%" PRIu64 ",format=bfloat16", sizes[s]);
            TRY(lesson_data_made(spec, seed, &data));
            for (int w = 0; w < WAYS; w++) {
                TRY(lesson_add(ways[w].method, launch, &data, &sum));
                errors[w][s] = fmax(seed == 1 ? 0 : errors[w][s], sum.metric[METRIC_ulp_error]);
            }
        }
    return OK;
}

static void write_errors(struct sheet *sheet, double errors[WAYS][SIZES])
{
    struct grid *grid = sheet_grid(sheet, "Largest error of five sums, in ulps of bfloat16", SIZES + 1, 1);
    grid_row(grid);
    grid_head(grid, 0, true, "n");
    for (size_t s = 0; s < SIZES; s++)
        grid_head(grid, s + 1, false, grouped_text(sizes[s]));
    for (int w = 0; w < WAYS; w++) {
        grid_row(grid);
        grid_set(grid, 0, TONE_PLAIN, "%s", ways[w].name);
        for (size_t s = 0; s < SIZES; s++)
            grid_number(grid, s + 1, errors[w][s]);
    }
}

static void draw_errors(struct sheet *sheet, double errors[WAYS][SIZES])
{
    struct chart *chart = sheet_chart(sheet, "Error over n in bfloat16", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    for (int w = 0; w < WAYS; w++) {
        struct chart_mark *line = chart_mark(panel, MARK_LINE, ways[w].name, ways[w].colour);
        for (size_t s = 0; s < SIZES; s++)
            if (errors[w][s] > 0)
                chart_point(line, (double)sizes[s], errors[w][s], NAN, NULL);
    }
    lesson_axis(&chart->x, "n", SCALE_LOG2, (double)sizes[0], (double)sizes[SIZES - 1]);
    lesson_axis(&chart->y, "error in ulp", SCALE_LOG2, 0x1p-4, 0x1p8);
    chart_set(&chart->caption, "Half an ulp is the best that one rounding allows. From 128 ulp on more than half of "
                               "the sum is missing: an ulp of bfloat16 is more than 1/256 of it.");
}

static enum status tell_many(struct sheet *sheet)
{
    double errors[WAYS][SIZES];
    TRY(measure(errors));
    TRY(lesson_claim(sheet, errors[3][SIZES - 1] <= 0.51, "a loop in binary32 is right to about half an ulp"));
    TRY(lesson_claim(sheet, errors[0][SIZES - 1] > 64, "a loop in bfloat16 loses the sum"));
    say_heading("Many additions");
    say("Here are the same numbers, uniform in [0, 1) and stored in bfloat16, added in four ways:");
    write_errors(sheet, errors);
    draw_errors(sheet, errors);
    predict_within(2, errors[0][SIZES - 1], "How many ulps of bfloat16 is the sum in bfloat16 wrong, about?",
                   "Where does it stand still, and where should it be?", "More than half of the sum is missing.");
    predict_within(1.2, errors[3][SIZES - 1], "And the sum in binary32, rounded once?", "What may one rounding cost?",
                   "The last rounding is all that is left.");
    say("The loop in bfloat16 stands still, as the lesson `stagnation` shows. Pairs postpone that, and Kahan avoids it "
        "with a second number. A loop in binary32 has an error of its own, too, but in units that are 2^16 times "
        "smaller: what is left is the last rounding.");
    say_theorem(
        "docs/bounds.md; 24 >= 2 * 11 + 2: Figueroa, SIGNUM Newsletter 30 (1995) 21",
        "Numbers are added in any order with unit roundoff v, and the sum is rounded once with unit roundoff u. Then "
        "$|computed - s| <=$ about $u |s| + (n-1) v S$, S the sum of all |x|; added with u throughout it is $(n-1) u "
        "S$. From bfloat16 to binary32 u / v is 2^16: for numbers of one sign the first term leads up to n = 2^16. And "
        "where v has 2p + 2 bits or more for the p of u, one addition with v, rounded with u, is one addition with u.");
    return OK;
}

static enum status end_row(struct grid *grid, const char *method, const struct lesson_data *data,
                           struct lesson_sum *sum)
{
    static const char *const words[] = {
        [CLASS_EXACT] = "exact",
        [CLASS_OVERFLOW] = "overflow",
        [CLASS_OUT_OF_RANGE] = "s is out of range",
    };
    TRY(lesson_add(method, one_thread, data, sum));
    grid_add(grid, cell_text("%s", method), cell_text("%g", (double)sum->computed));
    const bool named = sum->class < sizeof words / sizeof *words && words[sum->class];
    grid_set(grid, 2, sum->class == CLASS_OVERFLOW ? TONE_BAD : TONE_PLAIN, "%s", named ? words[sum->class] : "finite");
    return OK;
}

static enum status end_grid(struct sheet *sheet, const char *name, const float *x, uint64_t n,
                            struct lesson_sum sums[3])
{
    static const char *const methods[] = {"plain/serial@binary16_in_binary16", "plain/serial@binary16",
                                          "plain/serial@binary16_to_binary32"};
    struct grid *grid = sheet_table(sheet, name, 1, "method | > sum | class");
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    TRY(lesson_data_in(&FORMAT_BINARY16, x, n, &data));
    for (int m = 0; m < 3; m++)
        TRY(end_row(grid, methods[m], &data, &sums[m]));
    return OK;
}

static enum status tell_end(struct sheet *sheet)
{
    static const float back[] = {60000, 60000, -60000, -59968}, edge[] = {65504, 16};
    struct lesson_sum sums[3];
    say_heading("The end of binary16");
    say("binary16 ends at 65504: what would be 65520 or more is rounded to infinity. 60000 + 60000 - 60000 - 59968 is "
        "32, but on the way it passes that end:");
    TRY(end_grid(sheet, "60000 + 60000 - 60000 - 59968", back, 4, sums));
    TRY(lesson_claim(sheet, isinf(sums[0].computed) && sums[1].class == CLASS_EXACT,
                     "a partial sum overflows in binary16 and not in binary32"));
    say("An addition in binary32 saves the sum, because the end is only met when it is rounded. It cannot save one "
        "that is itself out of range, as 65504 + 16; for that the result must be wider:");
    TRY(end_grid(sheet, "65504 + 16", edge, 2, sums));
    TRY(lesson_claim(sheet, isinf(sums[1].computed) && sums[2].class == CLASS_EXACT,
                     "65520 is infinite in binary16 and a number of binary32"));
    say("bfloat16 has the exponents of binary32, and no such end before 3.4e38: that is what it gave three bits away "
        "for.");
    return OK;
}

static enum status ask_for_large_n(struct sheet *sheet)
{
    static const char *const methods[] = {"plain/serial@bfloat16", "kahan/serial@bfloat16_in_bfloat16",
                                          "plain/pairwise@bfloat16"};
    FREED_BY(lesson_data_free) struct lesson_data ones = {0};
    struct lesson_sum sums[3];
    char errors[3][NUMBER_TEXT];
    TRY(lesson_data_made("ones:n=20000000,format=bfloat16", 1, &ones));
    for (int m = 0; m < 3; m++)
        TRY(lesson_add(methods[m], launch, &ones, &sums[m]));
    for (int m = 0; m < 3; m++)
        write_rounded(sums[m].metric[METRIC_ulp_error], errors[m]);
    TRY(lesson_claim(sheet, sums[0].metric[METRIC_ulp_error] > 1 && sums[2].metric[METRIC_ulp_error] <= 0.5,
                     "a loop in binary32 stops, too, and pairs do not"));
    say_exercise("%s ones of bfloat16 are added in a loop in binary32, and rounded once. Is that enough?",
                 grouped_text(ones.n));
    say_answer("No: the loop stands still at 2^24, %s ulp of bfloat16 away. `%s` is %s ulp away, `%s` %s ulp, as good "
               "as bfloat16 can be. Kahan's second number has 8 bits, too. Wider additions put the end off by the "
               "factor u / v; an order of low height takes it away.",
               errors[0], methods[1], errors[1], methods[2], errors[2]);
    return OK;
}

enum status lesson_wider(struct sheet *sheet)
{
    say_question("Numbers are stored in 16 bits to save memory. Why are they added in 32, and is that enough?");
    say_prediction("65,536 numbers of bfloat16 in [0, 1) are added in bfloat16, and in binary32 with one rounding at "
                   "the end. How many ulps of bfloat16 is either sum wrong?");
    TRY(tell_one_addition(sheet));
    TRY(tell_many(sheet));
    TRY(tell_end(sheet));
    TRY(ask_for_large_n(sheet));
    say("Go on: `ulpscope list formats` names all that are stored, added in and rounded to, and `ulpscope run -m "
        "'plain/*' -d uniform:n=64Ki --format bfloat16 --accumulate binary32,bfloat16` measures every order.");
    return OK;
}
