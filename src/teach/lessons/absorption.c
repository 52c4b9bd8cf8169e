/* What is small beside a sum is lost: a counter of floats that stops. */
#include "src/teach/tools/lesson_tools.h"

enum { STOP = 1 << 24, MANY = 20000000 };

/* The binary digits of a whole number with its point behind the 24th: "1 00000000000000000000000 | 1". */
static void digits_line(struct sheet *sheet, const char *name, const char *label, uint32_t value, const char *note)
{
    char digits[32];
    for (int i = 0; i < 25; i++)
        digits[i] = (char)('0' + (value >> (24 - i) & 1));
    digits[25] = '\0';
    sheet_line(sheet, name, "%-22s %.24s | %s%s%s", label, digits, digits + 24, *note ? "   " : "", note);
}

static void show_addition(struct sheet *sheet)
{
    static const char name[] = "2^24 + 1 in binary";
    char label[64];
    sheet_line(sheet, name, "%-22s %-24s |", "", "the 24 digits of a float");
    snprintf(label, sizeof label, "  2^24 = %9d", STOP);
    digits_line(sheet, name, label, STOP, "");
    snprintf(label, sizeof label, "+    1 = %9d", 1);
    digits_line(sheet, name, label, 1, "");
    snprintf(label, sizeof label, "exact:   %9d", STOP + 1);
    digits_line(sheet, name, label, STOP + 1, "a 25th digit: exactly in the middle, a tie");
    snprintf(label, sizeof label, "rounded: %9d", STOP);
    digits_line(sheet, name, label, STOP, "to the neighbour that ends with 0");
}

static void show_stored(struct sheet *sheet)
{
    static const char name[] = "the bits of 2^24 and its neighbours";
    char label[NUMBER_TEXT];
    bits_head(sheet, name, &FORMAT_BINARY32);
    for (int i = -1; i <= 1; i++) {
        const float x = i == 0 ? (float)STOP : nextafterf((float)STOP, (float)i * INFINITY);
        snprintf(label, sizeof label, "%.0f", (double)x);
        bits_line(sheet, name, label, (double)x, &FORMAT_BINARY32);
    }
    snprintf(label, sizeof label, "%d", 1);
    bits_line(sheet, name, label, 1, &FORMAT_BINARY32);
}

static enum status count_row(struct grid *grid, const struct lesson_data *ones, uint64_t n, const char *method,
                             struct launch launch)
{
    struct lesson_sum sum;
    TRY(lesson_add_first(method, launch, ones, n, &sum));
    grid_add(grid, cell_text("%s", method), cell_text("%s", grouped_text(n)),
             cell_text("%s", grouped_text((uint64_t)sum.computed)));
    if (sum.class == CLASS_EXACT)
        grid_set(grid, 3, TONE_GOOD, "exact");
    else
        grid_number(grid, 3, sum.metric[METRIC_ulp_error]);
    grid_number(grid, 4, sum.metric[METRIC_relative_error]);
    return OK;
}

static struct grid *count_grid(struct sheet *sheet, const char *name)
{
    return sheet_table(sheet, name, 1, "method | > ones | > counted | > error (ulp) | > relative error");
}

static void ask_for_count(struct sheet *sheet, double counted)
{
    static const char hint[] = "How many binary digits has $2^24 + 1$, and how many has a significand?";
    predict((double)((float)STOP + 1.0f), "What is $2^24 + 1$ in binary32?", hint,
            "$2^24 + 1$ is halfway between two floats, and the tie goes to the one whose last bit is 0.");
    predict(counted, "What has the program counted after 20 million additions?", hint,
            "No addition from $2^24$ on changes anything.");
}

static enum status show_counting(struct sheet *sheet, const struct lesson_data *ones)
{
    static const uint64_t counts[] = {STOP - 1, STOP, STOP + 1, STOP + 2, MANY};
    struct lesson_sum sum;
    struct grid *grid = count_grid(sheet, "Ones counted from left to right in binary32");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        TRY(count_row(grid, ones, counts[i], "plain/serial", one_thread));
    TRY(lesson_add("plain/serial", one_thread, ones, &sum));
    ask_for_count(sheet, (double)sum.computed);
    return OK;
}

static enum status show_cures(struct sheet *sheet, const struct lesson_data *ones)
{
    struct grid *grid = count_grid(sheet, "The same ones, counted in other ways");
    TRY(count_row(grid, ones, MANY, "plain/pairwise", (struct launch){64, 256}));
    TRY(count_row(grid, ones, MANY, "plain/tree_two_pass", (struct launch){64, 256}));
    TRY(count_row(grid, ones, MANY, "kahan/serial", one_thread));
    return count_row(grid, ones, MANY, "binary64/serial", one_thread);
}

/* Counts by one, rounding to the format each time, up to `most` or until the counter stands still.  A sum of two
 * numbers of such a format is exact in binary32 here, so that it is rounded once. */
static uint32_t count_to(const struct format *format, uint32_t most)
{
    float counter = 0;
    for (uint32_t i = 0; i < most; i++) {
        const float next = (float)rounded_to((double)(counter + 1), format);
        if (next == counter)
            break;
        counter = next;
    }
    return (uint32_t)counter;
}

static const struct {
    const struct format *format;
    enum colour colour;
} counters[] = {{&FORMAT_BINARY32, COLOUR_MAIN}, {&FORMAT_BINARY16, COLOUR_SECOND}, {&FORMAT_BFLOAT16, COLOUR_BAD}};
enum { COUNTERS = sizeof counters / sizeof *counters, CHART_MOST = 26 };

static void show_formats(struct sheet *sheet)
{
    struct grid *grid = sheet_table(sheet, "Where a counter of a format stands still", 1,
                                    "format | > bits p | > stands still at | > 2^p");
    for (int i = COUNTERS - 1; i >= 0; i--) {
        const struct format *format = counters[i].format;
        grid_add(grid, cell_text("%s", format->name), cell_count((uint64_t)format->precision),
                 cell_text("%s", grouped_text(count_to(format, UINT32_MAX))),
                 cell_text("%s", grouped_text(UINT64_C(1) << format->precision)));
    }
}

static void draw_counters(struct sheet *sheet)
{
    struct chart *chart = sheet_chart(sheet, "absorption-counters", 260);
    struct chart_panel *panel = chart_panel(chart, "");
    struct chart_mark *right = chart_mark(panel, MARK_LINE, "a right count", COLOUR_QUIET);
    right->dashed = true;
    for (int k = 0; k <= CHART_MOST; k += CHART_MOST)
        chart_point(right, ldexp(1, k), ldexp(1, k), NAN, NULL);
    for (int i = 0; i < COUNTERS; i++) {
        const uint32_t stop = count_to(counters[i].format, UINT32_MAX);
        struct chart_mark *line = chart_mark(panel, MARK_LINE, counters[i].format->name, counters[i].colour);
        for (int k = 0; k <= CHART_MOST; k++) {
            const double n = ldexp(1, k);
            chart_point(line, n, fmin(n, (double)stop), NAN, NULL);
        }
    }
    chart_set(&chart->title, "Counters that stop");
    chart_set(&chart->subtitle, "what a loop that adds 1 has counted after n additions");
    chart_set(&chart->caption,
              "Up to 2^p a counter is exact, and then it does not move again: not slowly, not at all.");
    lesson_axis(&chart->x, "additions of 1", SCALE_LOG2, 1, ldexp(1, CHART_MOST));
    lesson_axis(&chart->y, "counted", SCALE_LOG2, 1, ldexp(1, CHART_MOST));
}

static enum status sum_of(const float *x, uint64_t n, float *computed)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    TRY(lesson_data_of(x, n, &data));
    TRY(lesson_add("plain/serial", one_thread, &data, &sum));
    *computed = sum.computed;
    return OK;
}

static enum status ask_for_order(struct sheet *sheet)
{
    enum { ONES = 1000 };
    float x[ONES + 1], large_first, large_last;
    for (int i = 0; i <= ONES; i++)
        x[i] = 1;
    x[0] = (float)STOP;
    TRY(sum_of(x, ONES + 1, &large_first));
    x[0] = 1, x[ONES] = (float)STOP;
    TRY(sum_of(x, ONES + 1, &large_last));
    say_exercise("Add 2^24 and then a thousand ones, from left to right. Now the thousand ones first and 2^24 last. "
                 "What does either give, and which one is right?");
    say_answer("2^24 first: %.0f, since each 1 alone is absorbed. 2^24 last: %.0f, which is right: the ones grow to "
               "1000 before they meet it, and 1000 is large enough. The same numbers, another order, another sum.",
               (double)large_first, (double)large_last);
    return OK;
}

/* The least power of two beside which `step` is lost: where the sum stops. */
static int stops_at(float step)
{
    int exponent = 0;
    while (ldexpf(1, exponent) + step != ldexpf(1, exponent))
        exponent++;
    return exponent;
}

static void ask_for_tenths(struct sheet *sheet)
{
    const int exponent = stops_at(0.1f);
    float sum = 0;
    uint32_t additions = 0;
    for (float next; (next = sum + 0.1f) != sum; sum = next)
        additions++;
    say_exercise("A loop adds 0.1f again and again. Beside which power of two is 0.1f absorbed? Does the loop need ten "
                 "times as many additions as that to get there?");
    say_answer(
        "Half an ulp of 2^%d is 2^%d = %g, more than 0.1: the sum stands still at %s. It is there after %s additions, "
        "not after ten times %s, which is %s. From one power of two to the next the sum is a multiple of one ulp, so "
        "that each addition of 0.1f makes the very same error, up or down: errors pile up instead of cancelling.",
        exponent, exponent - 24, ldexp(1, exponent - 24), grouped_text((uint64_t)sum), grouped_text(additions),
        grouped_text((uint64_t)sum), grouped_text(10 * (uint64_t)sum));
}

static void open_with_counter(struct sheet *sheet)
{
    say_question("A program counts in a float: `count += 1.0f`, again and again. How far does it get?");
    say_prediction(
        "What is 2^24 + 1 in binary32? What has the program counted after 20 million additions, and after a billion?");
    say_heading("One addition");
    say("Before two numbers are added their digits are lined up under each other. What sticks out behind the 24th "
        "digit of the sum is rounded away.");
    show_addition(sheet);
    say("As they are stored, the exponents of 2^24 and 1 differ by 24, one more than a fraction has bits. And from "
        "2^24 on the floats are 2 apart:");
    show_stored(sheet);
}

static enum status tell_counting(struct sheet *sheet, const struct lesson_data *ones)
{
    say_heading("Twenty million of them");
    say("Here is the loop itself, the method `plain/serial`, on as many ones as it says:");
    TRY(show_counting(sheet, ones));
    say("It does not become inaccurate: it stops. No addition after 2^24 changes anything, and nothing tells you. This "
        "is absorption: what is less than half the spacing of the sum is lost as a whole. Formats with fewer bits stop "
        "sooner:");
    show_formats(sheet);
    draw_counters(sheet);
    say_theorem(
        "Muller et al., Handbook of Floating-Point Arithmetic, 2018, 2.2: rounding to nearest",
        "Let $x > 0$ be a number of a format, and $0 <= y < ulp(x)/2$. Then $RN(x + y) = x$. For $y = ulp(x)/2$ the "
        "sum is a tie, and it is x if the last bit of x is 0. So a counter that goes up by 1 is exact up to "
        "2^p, because all whole numbers up to there are numbers of the format, and it stays at 2^p, where "
        "$ulp/2 = 1$ and the last bit is 0.");
    say_heading("What helps");
    TRY(show_cures(sheet, ones));
    say("Trees add sums of like size, so that no addition is between large and small. Kahan keeps what an addition "
        "lost and adds it to the next number. binary64 has 53 digits, and stops at 2^53. The lessons `trees`, `kahan` "
        "and `binary64` show each of them.");
    return OK;
}

enum status lesson_absorption(struct sheet *sheet)
{
    char spec[64];
    FREED_BY(lesson_data_free) struct lesson_data ones = {0};
    snprintf(spec, sizeof spec, "ones:n=%d", MANY);
    open_with_counter(sheet);
    TRY(lesson_data_made(spec, 1, &ones));
    TRY(tell_counting(sheet, &ones));
    TRY(ask_for_order(sheet));
    ask_for_tenths(sheet);
    say("Go on: with 0x1p24, 1 and 1 in a file, a line each, `ulpscope tree plain/serial x.txt` shows the first "
        "exercise, "
        "and `ulpscope run -m '*/serial' -d ones:n=17Mi` which methods stop counting.");
    return OK;
}
