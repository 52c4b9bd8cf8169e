/* What the bits of binary64 buy a sum of binary32 numbers, and when they are not enough. */
#include "src/teach/tools/condition_errors.h"

static const struct condition_request request = {{"plain/serial", "kahan/serial", "double_float/serial",
                                                  "binary64/serial", "binary64_kahan/serial", "superacc/serial"},
                                                 6,
                                                 0,
                                                 24,
                                                 2};
enum { PLAIN, KAHAN, DOUBLE_FLOAT, BINARY64, BINARY64_KAHAN, SUPERACC };

static int more_bits(void)
{
    return FORMAT_BINARY64.precision - FORMAT_BINARY32.precision;
}

static void show(struct sheet *sheet, const char *label, double value, const struct format *format)
{
    char bits[BITS_TEXT];
    bits_text(value, format, bits);
    sheet_line(sheet, "2^24 + 1 and 2^53 + 1, bit by bit", "%-22s%s", label, bits);
}

static void tell_bits(struct sheet *sheet)
{
    const double big = ldexp(1, FORMAT_BINARY32.precision), huge = ldexp(1, FORMAT_BINARY64.precision);
    const double kept = big + 1, lost = huge + 1;
    say_heading("%d more bits", more_bits());
    show(sheet, "2^24 + 1 in binary32", (double)(float)kept, &FORMAT_BINARY32);
    show(sheet, "2^24 + 1 in binary64", kept, &FORMAT_BINARY64);
    show(sheet, "2^53 + 1 in binary64", lost, &FORMAT_BINARY64);
    say("A significand of binary32 has %d bits, one of binary64 %d. So a binary64 accumulator has room for %d bits "
        "below those of its result. They catch what falls off when a small number meets a large partial sum: 2^24 + 1 "
        "is %s. But they are finite: 2^53 + 1 is %s.",
        FORMAT_BINARY32.precision, FORMAT_BINARY64.precision, more_bits(), hex_text(kept), hex_text(lost));
}

/* The first condition at which some sum is further off than `ulps`; NaN: none is. */
static double first_above(const struct condition_errors *errors, size_t method, double ulps)
{
    for (size_t i = 0; i < errors->count; i++)
        if (errors->ulps[method][i] > ulps)
            return errors->condition[i];
    return NAN;
}

static double first_without_digit(const struct condition_errors *errors, size_t method)
{
    for (size_t i = 0; i < errors->count; i++)
        if (errors->relative[method][i] >= 1)
            return errors->condition[i];
    return NAN;
}

static void set_condition(struct grid *grid, size_t column, double condition)
{
    if (isnan(condition))
        grid_set(grid, column, TONE_GOOD, "never");
    else
        grid_number(grid, column, condition);
}

static void write_grid(struct sheet *sheet, const struct condition_errors *errors)
{
    struct grid *grid = sheet_table(sheet, "where each method fails", 1,
                                    "method | > more than 1 ulp from condition | > no correct digit from");
    for (size_t m = 0; m < errors->of.method_count; m++) {
        grid_row(grid);
        grid_set(grid, 0, TONE_PLAIN, "%s", errors->of.methods[m]);
        set_condition(grid, 1, first_above(errors, m, 1));
        set_condition(grid, 2, first_without_digit(errors, m));
    }
}

static enum status claim_walls(const struct sheet *sheet, const struct condition_errors *errors)
{
    const double plain = first_above(errors, PLAIN, 1), low = first_above(errors, DOUBLE_FLOAT, 1),
                 high = first_above(errors, BINARY64, 1);
    TRY(lesson_claim(sheet, plain < low && plain < high, "binary64 and double_float last longer than plain additions"));
    TRY(lesson_claim(sheet, high > ldexp(1, more_bits() - 10) && !isnan(first_without_digit(errors, BINARY64)),
                     "binary64 is right while the condition is well below 2^29, and has no digit in the end"));
    TRY(lesson_claim(sheet, low <= high, "double_float fails no later than binary64"));
    TRY(lesson_claim(sheet, !isnan(first_without_digit(errors, BINARY64_KAHAN)),
                     "compensation in binary64 has no digit in the end either"));
    return lesson_claim(sheet, isnan(first_above(errors, SUPERACC, 0.5)), "the exact sum is right to half an ulp");
}

static enum status tell_walls(struct sheet *sheet)
{
    struct condition_errors errors;
    say_heading("Until the condition number has used them up");
    TRY(condition_errors_measure(&request, &errors));
    TRY(claim_walls(sheet, &errors));
    struct chart *chart = sheet_chart(sheet, "Relative error over the condition number", 240);
    condition_errors_draw(&errors, ldexp(1, -FORMAT_BINARY64.precision), "condition times 2^-53", chart);
    chart_set(&chart->caption,
              "Data of the family gensum: %d numbers, %d sets for each condition, the largest error of them. A flat "
              "line is the last rounding, to binary32, which every method pays. The climbing lines have one slope; "
              "binary64's is plain's, moved to the right.",
              CONDITION_N, CONDITION_SETS);
    write_grid(sheet, &errors);
    const double wall = round(log10(first_above(&errors, BINARY64, 1)));
    predict_between(wall, wall - 1, wall + 1,
                    "From about which power of ten on is a binary64 sum more than 1 ulp wrong?",
                    "How many bits more has it, and what power of ten is that?", "%d bits more are a factor of %s.",
                    more_bits(), rounded_text(ldexp(1, more_bits())));
    predict_choice(2 * FORMAT_BINARY32.precision + 1 > FORMAT_BINARY64.precision,
                   "Two numbers of binary32 together, have they ...", "Each has 24 bits.",
                   CHOICES("fewer bits than binary64", "more bits than binary64"), "2 x %d and a sign, instead of %d.",
                   FORMAT_BINARY32.precision, FORMAT_BINARY64.precision);
    say("So binary64 obeys the same law, at another place on the same line: its error is about the condition number "
        "times 2^-53, which is below the half ulp of the result until the condition number comes near 2^%d = %s. Up to "
        "there it is as good as exact for most purposes. Compensation in binary64 moves the wall little: its backward "
        "error is no longer n times 2^-53, but still about 2^-53.",
        more_bits(), rounded_text(ldexp(1, more_bits())));
    say("`double_float` holds the sum in two numbers of binary32, high and low, and is the usual answer where binary64 "
        "is slow or missing. Two significands make 2 x %d = %d bits and the sign of `low` one more: a few less than "
        "binary64's %d, so that its line lies a little to the left.",
        FORMAT_BINARY32.precision, 2 * FORMAT_BINARY32.precision, FORMAT_BINARY64.precision);
    return OK;
}

static enum status tell_killer(struct sheet *sheet)
{
    static const char *const specs[] = {"binary64_killer:n=1000,big=0x1p52", "binary64_killer:n=1000,big=0x1p54"};
    struct lesson_sum sum[2];
    double s[2];
    char text[4][NUMBER_TEXT];
    say_heading("A sum that binary64 loses whole");
    for (int i = 0; i < 2; i++) {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        TRY(lesson_data_made(specs[i], 1, &data));
        s[i] = data.exact.nearest;
        TRY(lesson_add("binary64/serial", one_thread, &data, &sum[i]));
        write_float((float)s[i], text[2 * i]);
        write_float(sum[i].computed, text[2 * i + 1]);
    }
    TRY(lesson_claim(sheet, sum[0].class == CLASS_EXACT && sum[1].computed == 0 && s[1] > 0,
                     "the same sum is exact in binary64 at B = 2^52 and 0 at B = 2^54"));
    say("The family `binary64_killer` is a number B, many ones, and -B. With B = 2^52 the exact sum is %s and "
        "binary64/serial gives %s. With B = 2^54 the exact sum is %s and binary64/serial gives %s: every single 1 is "
        "below half an ulp of the partial sum.",
        text[0], text[1], text[2], text[3]);
    return OK;
}

static void tell_cost(struct sheet *sheet)
{
    say_heading("What it costs");
    say("The data stay in binary32, so that memory has as much to read as before; only the accumulator is wider. Where "
        "memory is the limit, as for a long sum, the wider additions may be hidden behind it. Where the additions are "
        "the limit it depends on the processor: some GPUs have few adders for binary64, and there a `double_float` "
        "addition, ten additions and subtractions of binary32, may well be the cheaper one. Do not guess; ask yours: "
        "`ulpscope bench -m 'plain/vector_two_pass,double_float/vector_two_pass,binary64/vector_two_pass'`.");
}

/* 1 + 2^-24 is a tie of binary32; 2^-60 is above it, and below the last bit of binary64. */
static enum status tell_exercise(struct sheet *sheet)
{
    static const float x[] = {1, 0x1p-24f, 0x1p-60f};
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum wide, exact;
    say_exercise("All numbers are positive, so the condition number is 1 and binary64 has its %d bits to spare. Is its "
                 "sum, rounded to binary32, then the correctly rounded one? Find three numbers for which it is not.",
                 more_bits());
    TRY(lesson_data_of(x, 3, &data));
    TRY(lesson_add("binary64/serial", one_thread, &data, &wide));
    TRY(lesson_add("superacc/serial", one_thread, &data, &exact));
    const float nearest = (float)data.exact.nearest;
    TRY(lesson_claim(sheet, wide.computed != exact.computed && exact.computed == nearest,
                     "1 + 2^-24 + 2^-60 through binary64 is not correctly rounded"));
    say_answer("1, 2^-24, 2^-60: binary64 gives %s, the correctly rounded sum is %s. In binary64 2^-60 is lost and 1 + "
               "2^-24 is left, which lies in the middle of two numbers of binary32: the second rounding goes to the "
               "even one. It is called double rounding, and costs next to nothing: the error is %s ulp when printed "
               "with three digits. But the bits differ.",
               hex_text((double)wide.computed), hex_text((double)exact.computed),
               rounded_text(wide.metric[METRIC_ulp_error]));
    return OK;
}

enum status lesson_binary64(struct sheet *sheet)
{
    say_question("\"Just add in double\": when is that enough for numbers of binary32, and when is it not?");
    say_prediction(
        "Up to which condition number, as a power of ten, will a binary64 accumulator give a binary32 result that is "
        "right to 1 ulp? And two numbers of binary32 together: more or fewer bits than one of binary64?");
    tell_bits(sheet);
    TRY(tell_walls(sheet));
    TRY(tell_killer(sheet));
    tell_cost(sheet);
    say_theorem(
        "docs/bounds.md, P5 and P6; double_float: Joldes, Muller & Popescu, ACM TOMS 44 (2017)",
        "With $v = 2^-53$ and in every order: $|computed - s| <=$ about $u |s| + (n-1) v S$, S the sum of all |x|, "
        "for binary64, and about $u |s| + 3 (n-1) u^2 S$ for double_float, u^2 being 2^-48. The first term is "
        "the last rounding; the second one passes it when the condition number $S / |s|$ passes $u / ((n-1) v) = "
        "2^29 / (n-1)$. That is the worst case: roundings of both signs reach it later.");
    TRY(tell_exercise(sheet));
    say("Go on: `ulpscope explain binary64/serial superacc/serial --data binary64_killer:n=1000` shows that binary64 "
        "absorbs, too, and where the ones go.");
    return OK;
}
