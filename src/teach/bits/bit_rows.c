#include "bit_rows.h"

#include "reference/rounding.h"

#include <math.h>

enum { PRECISION = 2200, COLUMNS_MOST = 2200, LEAST_RUN = 6 };

enum row { LEFT, RIGHT, EXACT, MADE, ERROR, ROWS };

/* One number: its digits from 2^top on, to the last that is not 0. */
struct bits {
    char *text;         /* of MPFR, which aborts where memory is short; NULL: the number is 0 */
    const char *digits; /* in it, behind the sign */
    long top, last;
    int sign;
};

struct layout {
    struct bits bits[ROWS];
    long first, last, bar; /* powers of the outermost columns; of the last one in front of the bar */
    bool has_bar;
    char cell[ROWS][COLUMNS_MOST];
    bool hidden[COLUMNS_MOST], gap[COLUMNS_MOST]; /* "..." stands in front of a column with a gap */
};

/* ---- the digits ---- */

static struct bits bits_of(const mpfr_t value)
{
    struct bits bits = {.sign = mpfr_signbit(value) ? -1 : 1};
    mpfr_exp_t exponent;
    if (mpfr_zero_p(value))
        return bits;
    bits.text = mpfr_get_str(NULL, &exponent, 2, 0, value, MPFR_RNDN);
    bits.digits = bits.text + (*bits.text == '-');
    bits.top = (long)exponent - 1;
    size_t length = strlen(bits.digits);
    while (bits.digits[length - 1] == '0')
        length--;
    bits.last = bits.top - (long)length + 1;
    return bits;
}

/* Up to the bar every place of a number is written, behind it only what is not 0 and what stands before that. */
static char digit_at(const struct layout *layout, const struct bits *bits, long power)
{
    if (!bits->digits)
        return power == layout->bar ? '0' : ' ';
    if (power > bits->top)
        return ' ';
    if (power < bits->last)
        return power >= layout->bar ? '0' : ' ';
    return bits->digits[bits->top - power];
}

/* ---- the columns ---- */

/* Behind the last place that the format has for the exact sum: 2^e has as many as what lies above it. */
static void place_bar(const struct bit_sum *sum, const mpfr_t exact, struct layout *layout)
{
    const struct format *format = sum->format;
    layout->has_bar = format && mpfr_regular_p(exact) && exact_round(exact, format) == sum->made;
    if (layout->has_bar)
        layout->bar = (long)ilogb(exact_ulp(exact, format));
}

static void place_columns(struct layout *layout)
{
    bool any = false;
    for (int r = 0; r < ROWS; r++) {
        const struct bits *bits = &layout->bits[r];
        if (!bits->digits)
            continue;
        layout->first = any && layout->first > bits->top ? layout->first : bits->top;
        layout->last = any && layout->last < bits->last ? layout->last : bits->last;
        any = true;
    }
    if (!layout->has_bar)
        layout->bar = layout->last;
    layout->first = layout->first > layout->bar ? layout->first : layout->bar;
    layout->last = layout->last < layout->bar ? layout->last : layout->bar;
    for (int r = 0; r < ROWS; r++)
        for (long power = layout->first; power >= layout->last; power--)
            layout->cell[r][layout->first - power] = digit_at(layout, &layout->bits[r], power);
}

static long columns_of(const struct layout *layout)
{
    return layout->first - layout->last + 1;
}

static bool repeats(const struct layout *layout, long column)
{
    for (int r = 0; r < ROWS; r++)
        if (layout->cell[r][column] != layout->cell[r][column - 1])
            return false;
    return layout->first - column != layout->bar - 1;
}

/* The longest run of equal columns of which none is hidden: its first column, and how many follow that. */
static long longest_run(const struct layout *layout, long *first)
{
    long longest = 0;
    for (long c = 0, end; c < columns_of(layout); c = end) {
        for (end = c + 1; end < columns_of(layout) && repeats(layout, end); end++)
            ;
        if (end - c > longest && !layout->hidden[c + 1 < end ? c + 1 : c]) {
            longest = end - c;
            *first = c;
        }
    }
    return longest;
}

/* Leaves out the longest runs, but for their first and last column. */
static void leave_out(struct layout *layout)
{
    long width = columns_of(layout), first = 0;
    while (width > BIT_ROWS_WIDTH) {
        const long run = longest_run(layout, &first);
        if (run < LEAST_RUN)
            return;
        for (long c = first + 1; c < first + run - 1; c++)
            layout->hidden[c] = true;
        layout->gap[first + run - 1] = true;
        width -= run - 2 - 3;
    }
}

/* ---- the lines ---- */

struct line {
    char *text;
    size_t length;
};

static void put(struct line *line, const char *text)
{
    for (; *text && line->length + 1 < BIT_ROW_SIZE; text++)
        line->text[line->length++] = *text;
    line->text[line->length] = '\0';
}

static void end_line(struct line *line, struct bit_rows *rows)
{
    while (line->length > 0 && line->text[line->length - 1] == ' ')
        line->text[--line->length] = '\0';
    rows->count++;
}

static struct line next_line(struct bit_rows *rows, const char *name, char sign)
{
    struct line line = {rows->line[rows->count], 0};
    char head[16];
    snprintf(head, sizeof head, "%-7.7s %c ", name, sign);
    put(&line, head);
    return line;
}

/* The columns of a row, or what stands in their place: one character for each. */
static void put_columns(const struct layout *layout, const char *cells, struct line *line)
{
    for (long c = 0; c < columns_of(layout); c++) {
        if (layout->gap[c])
            put(line, cells[c] == ' ' ? "   " : "...");
        if (!layout->hidden[c])
            put(line, (const char[]){cells[c], '\0'});
        if (layout->has_bar && layout->first - c == layout->bar)
            put(line, "|");
    }
}

static void write_row(const struct layout *layout, enum row row, const char *name, double value, struct bit_rows *rows)
{
    char hex[NUMBER_TEXT];
    struct line line = next_line(rows, name, layout->bits[row].sign < 0 ? '-' : '+');
    put_columns(layout, layout->cell[row], &line);
    if (row != EXACT) {
        write_hex(value, hex);
        put(&line, "  ");
        put(&line, hex);
    }
    end_line(&line, rows);
}

/* How many characters stand in front of a column. */
static size_t place_of(const struct layout *layout, long column)
{
    size_t place = 0;
    for (long c = 0; c <= column; c++) {
        place += layout->gap[c] ? 3 : 0;
        if (c < column)
            place += (size_t)!layout->hidden[c] + (size_t)(layout->has_bar && layout->first - c == layout->bar);
    }
    return place;
}

/* "2^24               2^1|2^0" */
static void write_powers(const struct layout *layout, struct bit_rows *rows)
{
    char first[24], bar[24], behind[24];
    struct line line = next_line(rows, "", ' ');
    const size_t start = line.length, before = place_of(layout, layout->first - layout->bar) + 1;
    snprintf(first, sizeof first, "2^%ld", layout->first);
    snprintf(bar, sizeof bar, "2^%ld", layout->bar);
    snprintf(behind, sizeof behind, "|2^%ld", layout->bar - 1);
    put(&line, first);
    if (strlen(first) + 1 + strlen(bar) <= before) {
        while (line.length - start < before - strlen(bar))
            put(&line, " ");
        put(&line, bar);
    }
    while (line.length - start < before)
        put(&line, " ");
    if (layout->has_bar)
        put(&line, layout->last < layout->bar ? behind : "|");
    end_line(&line, rows);
}

static const char *how_rounded(const struct layout *layout, double made, const mpfr_t error)
{
    const bool up = made != 0 && (mpfr_sgn(error) > 0) == (made > 0);
    const struct bits *bits = &layout->bits[ERROR];
    if (bits->top == layout->bar - 1 && bits->last == bits->top)
        return up ? "a tie, rounded to even, up" : "a tie, rounded to even, down";
    return up ? "more than half a unit, rounded up" : "less than half a unit, rounded down";
}

/* Marks the bits of the exact sum that do not fit. */
static void write_marks(const struct layout *layout, const char *how, struct bit_rows *rows)
{
    char cells[COLUMNS_MOST];
    const long columns = columns_of(layout);
    for (long c = 0; c < columns; c++) {
        const long power = layout->first - c;
        cells[c] = power < layout->bar && power >= layout->bits[EXACT].last ? '^' : ' ';
    }
    struct line line = next_line(rows, "", ' ');
    put_columns(layout, cells, &line);
    for (size_t i = 0; i < line.length; i++)
        if (line.text[i] == '|')
            line.text[i] = ' ';
    put(&line, "  ");
    put(&line, how);
    end_line(&line, rows);
}

static void write_all(const struct bit_sum *sum, const struct layout *layout, const mpfr_t error, struct bit_rows *rows)
{
    write_powers(layout, rows);
    write_row(layout, LEFT, sum->left_name ? sum->left_name : "left", sum->left, rows);
    write_row(layout, RIGHT, sum->right_name ? sum->right_name : "right", sum->right, rows);
    write_row(layout, EXACT, "exact", NAN, rows);
    if (layout->has_bar && !mpfr_zero_p(error))
        write_marks(layout, how_rounded(layout, sum->made, error), rows);
    write_row(layout, MADE, "made", sum->made, rows);
    write_row(layout, ERROR, "error", mpfr_get_d(error, MPFR_RNDN), rows);
}

bool bit_rows_of(const struct bit_sum *sum, struct bit_rows *rows)
{
    struct layout layout = {.first = 0};
    mpfr_t number[ROWS];
    rows->count = 0;
    if (!isfinite(sum->left) || !isfinite(sum->right) || !isfinite(sum->made))
        return false;
    for (int r = 0; r < ROWS; r++)
        mpfr_init2(number[r], PRECISION); /* holds any sum of three numbers of binary64 */
    mpfr_set_d(number[LEFT], sum->left, MPFR_RNDN);
    mpfr_set_d(number[RIGHT], sum->right, MPFR_RNDN);
    mpfr_set_d(number[MADE], sum->made, MPFR_RNDN);
    mpfr_add(number[EXACT], number[LEFT], number[RIGHT], MPFR_RNDN);
    mpfr_sub(number[ERROR], number[MADE], number[EXACT], MPFR_RNDN);
    for (int r = 0; r < ROWS; r++)
        layout.bits[r] = bits_of(number[r]);
    place_bar(sum, number[EXACT], &layout);
    place_columns(&layout);
    leave_out(&layout);
    write_all(sum, &layout, number[ERROR], rows);
    for (int r = 0; r < ROWS; r++) {
        if (layout.bits[r].text)
            mpfr_free_str(layout.bits[r].text);
        mpfr_clear(number[r]);
    }
    return true;
}

/* ---- fields ---- */

static void write_bits(uint64_t bits, int count, char text[FIELD_TEXT])
{
    for (int i = 0; i < count; i++)
        text[i] = (bits >> (count - 1 - i) & 1) ? '1' : '0';
    text[count] = '\0';
}

/* The largest power of two in range is 2^(overflow_exponent - 1), whose exponent field ends in a 0 behind ones only:
 * the field has one bit more than overflow_exponent has behind its own one. */
static int exponent_bits(const struct format *format)
{
    int bits = 1;
    while (format->overflow_exponent >> bits)
        bits++;
    return bits;
}

struct bit_fields bit_fields_of(double value, const struct format *format)
{
    const int width = exponent_bits(format), hidden = format->precision - 1;
    const int least_normal = format->least_exponent + hidden;
    uint64_t exponent = (UINT64_C(1) << width) - 1, significand = 0;
    struct bit_fields fields = {.sign = {signbit(value) && !isnan(value) ? '1' : '0'}};
    if (isnan(value)) {
        significand = UINT64_C(1) << (hidden - 1);
    } else if (isfinite(value)) {
        const int power = value == 0 || ilogb(value) < least_normal ? least_normal : ilogb(value);
        significand = (uint64_t)ldexp(fabs(value), hidden - power); /* with the hidden bit, where there is one */
        exponent = significand >> hidden ? (uint64_t)(power - least_normal + 1) : 0;
        significand &= (UINT64_C(1) << hidden) - 1;
    }
    write_bits(exponent, width, fields.exponent);
    write_bits(significand, hidden, fields.significand);
    return fields;
}
