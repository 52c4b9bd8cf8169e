/* A value beside the exact sum: ulpscope exact --compare.
 *
 *   0.1    binary32    0x1.99999ap-4, rounded: a decimal is taken as every decimal is
 *   0x1.99999ap-4      the same, not rounded
 *   16777217           refused, as an integer among the data is that the format does not have
 *   0x1.999999999999ap-4   refused: no binary32, and lies between 0x1.999998p-4 and 0x1.99999ap-4
 *   the same, --as binary64   taken as it is, beside the sum of binary32 numbers
 */
#include "exact_answer.h"

#include <math.h>

/* A hex-float or an integer. */
static bool says_each_bit(const char *text)
{
    text += *text == '-' || *text == '+';
    return (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) || text[strspn(text, "0123456789")] == '\0';
}

static double neighbour(double value, int side, const struct format *format)
{
    if (value == 0)
        return side * ldexp(1, format->least_exponent);
    const uint64_t magnitude = format_bits(format, fabs(value));
    const bool is_away = (value > 0) == (side > 0);
    return copysign(format_value(format, is_away ? magnitude + 1 : magnitude - 1), value);
}

static enum status no_such_number(const char *text, double value, int side, const struct format *format)
{
    const double other = neighbour(value, side, format);
    double wide;
    int wide_side;
    const bool is_wide = !read_in_format(text, &FORMAT_BINARY64, &wide, &wide_side) && wide_side == 0;
    return bad_input("--compare: \"%s\" cannot be represented in %s: it lies between %s and %s; expected a number of "
                     "that format; give one of these, %sa decimal to have it rounded%s",
                     text, format->name, hex_text(side > 0 ? value : other), hex_text(side > 0 ? other : value),
                     is_wide ? "" : "or ", is_wide ? ", or --as binary64" : "");
}

enum status comparison_read(const char *text, const struct format *format, bool as_written,
                            struct comparison *comparison)
{
    struct storage written = {.format_count = 1, .formats = {{.format = format}}};
    *comparison = (struct comparison){.given = text, .format = format};
    int side;
    if (as_written && !storage_read(&written, text) && isfinite(written.formats[0].value)) {
        comparison->value = written.formats[0].value;
        comparison->rounded = written.formats[0].is_changed;
        return OK;
    }
    const char *wrong = read_in_format(text, format, &comparison->value, &side);
    if (wrong)
        return bad_input("--compare: \"%s\" %s; expected a number of %s; write 0.1, 0x1.8p+3, inf or nan", text, wrong,
                         format->name);
    comparison->rounded = side != 0;
    return side != 0 && says_each_bit(text) ? no_such_number(text, comparison->value, side, format) : OK;
}

/* The place of a number among all of its format: neighbours differ by 1, both zeros are at 0. */
static int64_t place(double value, const struct format *format)
{
    const int64_t magnitude = (int64_t)format_bits(format, fabs(value));
    return value < 0 ? -magnitude : magnitude;
}

static void count_steps(struct comparison *comparison)
{
    comparison->has_steps = !isnan(comparison->value) && !isnan(comparison->nearest);
    if (!comparison->has_steps)
        return;
    const int64_t from = place(comparison->nearest, comparison->format);
    const int64_t to = place(comparison->value, comparison->format);
    comparison->steps = to > from ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    comparison->steps_side = (to > from) - (to < from);
}

void comparison_judge(const struct exact_sum *exact, struct comparison *comparison)
{
    const struct judged judged = {
        .exact = exact, .format = comparison->format, .computed = comparison->value, .bound = INFINITY};
    comparison->class = classify(exact, comparison->format, comparison->value);
    for (int m = 0; m < METRICS; m++)
        comparison->metrics[m] = metric_table[m].measure(&judged);
    if (comparison->class != CLASS_NAN) {
        const int order = mpfr_cmp_d(exact->sum, comparison->value);
        comparison->side = (order < 0) - (order > 0);
    }
    comparison->nearest = exact_round(exact->sum, comparison->format);
    count_steps(comparison);
}
