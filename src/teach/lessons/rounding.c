/* The first lesson: what is stored for 0.1, how far apart the numbers of a format are, and what u is. */
#include "src/teach/tools/lesson_tools.h"

/* A decimal as a format has it, and by how much that is off. */
struct stored {
    double value;
    double error; /* in ulp, to a few digits: (value - decimal) / ulp(decimal) */
};

/* 200 bits of a decimal are more than enough for three digits of its error. */
static struct stored store(const char *decimal, const struct format *format)
{
    struct stored stored;
    mpfr_t exact, error;
    mpfr_init2(exact, 200);
    mpfr_init2(error, 200);
    mpfr_set_str(exact, decimal, 10, MPFR_RNDN);
    stored.value = exact_round(exact, format);
    mpfr_d_sub(error, stored.value, exact, MPFR_RNDN);
    mpfr_div_d(error, error, exact_ulp(exact, format), MPFR_RNDN);
    stored.error = mpfr_get_d(error, MPFR_RNDN);
    mpfr_clear(exact);
    mpfr_clear(error);
    return stored;
}

static void show_neighbours(struct sheet *sheet)
{
    static const char name[] = "0.1 in binary32 and its neighbours";
    const float middle = 0.1f;
    char full[IN_FULL_TEXT];
    bits_head(sheet, name, &FORMAT_BINARY32);
    bits_line(sheet, name, "the one below", (double)nextafterf(middle, 0), &FORMAT_BINARY32);
    bits_line(sheet, name, "0.1f", (double)middle, &FORMAT_BINARY32);
    bits_line(sheet, name, "the one above", (double)nextafterf(middle, 1), &FORMAT_BINARY32);
    sheet_line(sheet, name, "%s", "");
    write_in_full((double)nextafterf(middle, 0), full);
    sheet_line(sheet, name, "%-18s %s", "the one below", full);
    write_in_full((double)middle, full);
    sheet_line(sheet, name, "%-18s %s", "0.1f", full);
    write_in_full((double)nextafterf(middle, 1), full);
    sheet_line(sheet, name, "%-18s %s", "the one above", full);
}

static void decimal_row(struct grid *grid, const char *decimal)
{
    const struct stored stored = store(decimal, &FORMAT_BINARY32);
    char full[IN_FULL_TEXT];
    write_in_full(stored.value, full);
    grid_add(grid, cell_text("%s", decimal), cell_text("%s", full), cell_text("%s", hex_text(stored.value)));
    if (stored.error == 0)
        grid_set(grid, 3, TONE_GOOD, "exact");
    else
        grid_set(grid, 3, TONE_PLAIN, "%s ulp too %s", rounded_text(fabs(stored.error)),
                 stored.error > 0 ? "large" : "small");
}

static void show_decimals(struct sheet *sheet)
{
    static const char *const decimals[] = {"0.1", "0.2", "0.3", "0.5", "0.75", "3.14159265358979", "16777217"};
    struct grid *grid = sheet_table(sheet, "Decimals and what binary32 stores for them", 1,
                                    "you write | binary32 stores | as %a | off by");
    for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++)
        decimal_row(grid, decimals[i]);
}

/* A power of two in full: "0.0625", "1,024". */
static void write_limit(double value, char text[NUMBER_TEXT])
{
    if (value < 1)
        write_double(value, text);
    else
        grouped((uint64_t)value, text);
}

static void interval_row(struct grid *grid, int exponent)
{
    const double from = ldexp(1, exponent), ulp = format_spacing(&FORMAT_BINARY32, from);
    const uint32_t count = float_bits((float)(2 * from)) - float_bits((float)from);
    char least[NUMBER_TEXT], most[NUMBER_TEXT];
    write_limit(from, least);
    write_limit(2 * from, most);
    grid_add(grid, cell_text("%s to %s", least, most), cell_text("%s", grouped_text(count)),
             cell_text("2^%d", ilogb(ulp)), cell_number(ulp));
}

static void show_intervals(struct sheet *sheet)
{
    static const int exponents[] = {-4, -1, 0, 1, 10, 22, 23, 24, 30};
    struct grid *grid = sheet_table(sheet, "How many numbers of binary32 lie between powers of two", 1,
                                    "from ... up to | > numbers | > apart by (ulp) | > about");
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
        interval_row(grid, exponents[i]);
}

/* Few enough to see each: significands of 4 bits. */
static const struct format FORMAT_TOY = {"4 bits", 1, 4, -10, 8, false};

/* Every number of the toy format from 1/4 to 16, and the gap behind it. */
static void draw_spacing(struct sheet *sheet)
{
    struct chart *chart = sheet_chart(sheet, "spacing", 220);
    struct chart_panel *panel = chart_panel(chart, "");
    struct chart_mark *numbers = chart_mark(panel, MARK_POINTS, "a number, and how far the next one is", COLOUR_MAIN);
    size_t count = 0;
    for (double x = 0.25, ulp; x < 16; x += ulp, count++) {
        ulp = format_spacing(&FORMAT_TOY, x);
        chart_point(numbers, x, ulp, NAN, NULL);
    }
    chart_set(&chart->title, "All numbers with significands of %d bits, from 1/4 to 16", FORMAT_TOY.precision);
    chart_set(&chart->subtitle, "each dot is one of the %zu numbers; its height is the distance to the next", count);
    chart_set(&chart->caption,
              "The staircase: between two powers of two the numbers stand evenly, and at every power of two the "
              "distance doubles. There are as many from 1 to 2 as from 8 to 16. binary32 is the same with %d bits.",
              FORMAT_BINARY32.precision);
    lesson_axis(&chart->x, "number", SCALE_LINEAR, 0, 16);
    lesson_axis(&chart->y, "distance to the next", SCALE_LINEAR, 0, 1.1);
}

static enum status one_plus(struct grid *grid, const char *what, float x)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    char hex[NUMBER_TEXT];
    TRY(lesson_data_of((const float[]){1, x}, 2, &data));
    TRY(lesson_add("plain/serial", one_thread, &data, &sum));
    grid_row(grid);
    grid_set(grid, 0, TONE_PLAIN, "%s", what);
    write_hex((double)x, hex);
    grid_set(grid, 1, TONE_PLAIN, "%s", hex);
    write_hex((double)sum.computed, hex);
    grid_set(grid, 2, sum.computed == 1 ? TONE_BAD : TONE_PLAIN, "%s%s", hex, sum.computed == 1 ? " (x is lost)" : "");
    grid_number(grid, 3, sum.metric[METRIC_ulp_error]);
    return OK;
}

static enum status show_epsilon(struct sheet *sheet)
{
    struct grid *grid = sheet_table(sheet, "1 + x by plain/serial", 1, "x | as %a | 1 + x, computed | > error (ulp)");
    TRY(one_plus(grid, "u/2 = 2^-25", 0x1p-25f));
    TRY(one_plus(grid, "u = 2^-24", 0x1p-24f));
    TRY(one_plus(grid, "the next above u", nextafterf(0x1p-24f, 1)));
    return one_plus(grid, "\"epsilon\" = 2u", FLT_EPSILON);
}

static void show_formats(struct sheet *sheet)
{
    struct grid *grid = sheet_table(
        sheet, "Formats, their spacing at 1 and their u", 1,
        "format | > bits p | > ulp(1) (\"epsilon\") | > u = 2^-p | > whole numbers without a gap up to 2^p");
    for (size_t i = 0; i < NUMBER_FORMAT_COUNT; i++) {
        const struct format *format = NUMBER_FORMATS[i];
        grid_add(grid, cell_text("%s", format->name), cell_count((uint64_t)format->precision),
                 cell_text("2^%d", ilogb(format_spacing(format, 1))), cell_number(format_spacing(format, 1) / 2),
                 cell_text("%s", grouped_text(UINT64_C(1) << format->precision)));
    }
}

static void ask_for_counts(struct sheet *sheet)
{
    const uint32_t up_to_one = float_bits(1.0f), one_to_two = float_bits(2.0f) - up_to_one;
    say_exercise("How many binary32 numbers are there from 1 up to 2, 2 not counted? And from 0 up to 1? Guess the "
                 "ratio first. (The bits of a positive float, read as a whole number, count the floats below it.)");
    say_answer("From 1 to 2 there are 2^23 = %s, one for each fraction. From 0 to 1 there are %s, 0 among them: that "
               "is %u times as many. The bits of 1.0f are 0x%08x, and 0x%08x / 2^23 = %u: as many binades, the "
               "subnormal numbers being one of them. About a quarter of all floats lies between 0 and 1.",
               grouped_text(one_to_two), grouped_text(up_to_one), up_to_one / one_to_two, up_to_one, up_to_one,
               up_to_one >> 23);
}

/* |value - decimal|, for people. */
static void write_distance(double value, const char *decimal, char text[NUMBER_TEXT])
{
    mpfr_t distance;
    mpfr_init2(distance, 200);
    mpfr_set_str(distance, decimal, 10, MPFR_RNDN);
    mpfr_d_sub(distance, value, distance, MPFR_RNDN);
    write_rounded(fabs(mpfr_get_d(distance, MPFR_RNDN)), text);
    mpfr_clear(distance);
}

/* volatile, so that the program adds and not the compiler. */
static void ask_for_three_tenths(struct sheet *sheet)
{
    volatile float a = 0.1f, b = 0.2f;
    volatile double c = 0.1, d = 0.2;
    const double narrow = (double)(float)(a + b), wide = c + d;
    char narrow_distance[NUMBER_TEXT];
    char wide_distance[NUMBER_TEXT];
    write_distance(narrow, "0.3", narrow_distance);
    write_distance(wide, "0.3", wide_distance);
    say_exercise("Is 0.1 + 0.2 == 0.3? Say it for binary32 and for binary64, and then say why the two answers do not "
                 "tell you which format is the better one.");
    say_answer("binary32: 0.1f + 0.2f is %s and 0.3f is %s: %s. binary64: 0.1 + 0.2 is %s and 0.3 is %s: %s. Three "
               "decimals are rounded, and then the sum is; whether the two sides meet is luck. From 3/10 the sum is %s "
               "away in binary32, and %s in binary64.",
               hex_text(narrow), hex_text((double)0.3f), narrow == (double)0.3f ? "equal" : "not equal", hex_text(wide),
               hex_text(0.3), wide == 0.3 ? "equal" : "not equal", narrow_distance, wide_distance);
}

static void ask_for_clock(struct sheet *sheet)
{
    int exponent = 0;
    while (format_spacing(&FORMAT_BINARY32, ldexp(1, exponent)) <= 1e-3)
        exponent++;
    const double seconds = ldexp(1, exponent);
    say_exercise("A game keeps the time since its start in seconds, in a float. After how long are two neighbouring "
                 "times more than a millisecond apart?");
    say_answer("At 2^%d = %.0f s, which is %.1f hours: from there on the spacing is 2^%d s = %s ms. Before, it is half "
               "of that.",
               exponent, seconds, seconds / 3600, ilogb(format_spacing(&FORMAT_BINARY32, seconds)),
               rounded_text(1e3 * format_spacing(&FORMAT_BINARY32, seconds)));
}

static void open_with_tenth(struct sheet *sheet)
{
    const struct stored tenth = store("0.1", &FORMAT_BINARY32);
    say_question("`float x = 0.1f;` What number is x now?");
    say_prediction("Is x smaller than 1/10, larger, or equal? How many of its digits are those of 0.1000...? And how "
                   "many floats are there between 1 and 2; between 1024 and 1025?");
    say_heading("What is stored");
    say("A float is a sign, a power of two and 24 binary digits, its significand; the first is a 1 that is not stored. "
        "Only fractions whose denominator is a power of two end after so many digits. 1/10 does not: in binary it is "
        "0.000110011001100..., for ever. So the nearest float is taken.");
    show_neighbours(sheet);
    say("`%%a` prints the significand in hexadecimal and loses nothing: 0x1.99999ap-4 is 1.99999a (base 16) times "
        "2^-4, and the 9s show the period that was cut. x is %s ulp too large, where an ulp is the distance from one "
        "float to the next; no float is nearer, since the error is at most half an ulp.",
        rounded_text(tenth.error));
    show_decimals(sheet);
    predict_choice(tenth.error < 0   ? 0
                   : tenth.error > 0 ? 1
                                     : 2,
                   "Is x smaller than 1/10, larger, or equal?",
                   "1/10 is 0.0001100110011... in binary. Is the 25th digit from the first 1 on a 1?",
                   CHOICES("smaller", "larger", "equal"), "It is %s ulp too large.", rounded_text(tenth.error));
}

static void tell_spacing(struct sheet *sheet)
{
    say_heading("How far apart floats are");
    say("Each interval from a power of two to the next has the same number of floats, spread evenly. So the spacing "
        "doubles at every power of two: near 1 it is 2^-23, and from 2^24 on it is 2, which leaves out every second "
        "whole number.");
    show_intervals(sheet);
    predict(ldexp(1, FORMAT_BINARY32.precision - 1 - 10), "How many floats are there from 1024 up to 1025?",
            "1024 is $2^10$. What is its last digit worth?", "The spacing is $2^-%d$.",
            FORMAT_BINARY32.precision - 1 - 10);
    say("So from 1024 to 1025, 1025 not counted, there are %s floats, and there is none between 2^24 and 2^24 + 1.",
        grouped_text((uint64_t)ldexp(1, FORMAT_BINARY32.precision - 1 - 10)));
    draw_spacing(sheet);
}

static enum status tell_u(struct sheet *sheet)
{
    say_heading("u, and the \"epsilon\" that is twice as large");
    say("Rounding to nearest is off by at most half an ulp. For a number between 1 and 2 that is 2^-24, and in "
        "relation to the number it is nowhere more: this is u, the unit roundoff. FLT_EPSILON of C is 2^-23, the "
        "spacing at 1. Both are called epsilon, so look which one a text means. Nor is FLT_EPSILON the least x with 1 "
        "+ x > 1:");
    TRY(show_epsilon(sheet));
    say("1 + u lies in the middle of two floats: a tie. Ties go to the one whose last bit is 0, which is 1 here. "
        "Anything above u is nearer to the next float, and is rounded up.");
    show_formats(sheet);
    say_theorem("Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, theorem 2.2",
                "Let x be a real number within the normal range of a format, and RN(x) the nearest number of the "
                "format. Then $RN(x) = x (1 + d)$ with $|d| < u = 2^-p$; in binary32 $u = 2^-24$, about 6e-8. Sums, "
                "differences, products and quotients of IEEE 754 are the exact result, rounded so: $RN(x + y) = (x + "
                "y)(1 + d)$. All bounds of this course follow from it.");
    return OK;
}

enum status lesson_rounding(struct sheet *sheet)
{
    open_with_tenth(sheet);
    tell_spacing(sheet);
    TRY(tell_u(sheet));
    ask_for_counts(sheet);
    ask_for_three_tenths(sheet);
    ask_for_clock(sheet);
    say("Go on: with 0.1, 0.2 and -0.3 in a file, a line each, `ulpscope tree plain/serial x.txt` shows 0.1 "
        "+ 0.2 "
        "- 0.3 in binary32, and with `--format binary64` in binary64. Try your own numbers.");
    return OK;
}
