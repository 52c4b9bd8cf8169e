#include "lesson_tools.h"

#include "datasets/dataset.h"
#include "src/measure/judge.h"
#include "src/measure/operation.h"
#include "src/study/study.h"

/* ---- sums ---- */

static enum status exact_of(const struct lesson_data *data, uint64_t n, struct exact_sum *exact)
{
    return data->y ? exact_dot(data->format, (struct exact_how){0}, data->x, data->y, n, exact)
                   : exact_sum(data->format, data->x, n, exact);
}

/* Takes x and y, also when it fails. */
static enum status take(const struct format *format, float *x, float *y, uint64_t n, struct lesson_data *data)
{
    *data = (struct lesson_data){.format = format, .x = x, .y = y, .n = n};
    const enum status status = exact_of(data, n, &data->exact);
    if (status != OK) {
        free_all(x, y);
        *data = (struct lesson_data){0};
    }
    return status;
}

enum status lesson_data_made(const char *spec, uint64_t seed, struct lesson_data *data)
{
    struct data_spec *specs;
    struct dataset made;
    size_t count;
    *data = (struct lesson_data){0};
    TRY(data_specs_read(spec, "lesson", NONFINITE_REFUSE, &specs, &count));
    const enum status status = dataset_make(&specs[0], seed, 0, &made);
    data_specs_free(specs, count);
    TRY(status);
    if (format_held(made.format) == &FORMAT_BINARY32)
        return take(made.format, made.x, made.y, made.n, data);
    complain("lesson: expected numbers that binary32 holds, found %s of %s", spec, made.format->name);
    dataset_free(&made);
    return BAD_INPUT;
}

/* Allocated; NULL when memory is short. */
static float *copy_of(const float *x, uint64_t n)
{
    float *copy = malloc((size_t)(n + 1) * sizeof *copy);
    if (copy && n > 0)
        memcpy(copy, x, (size_t)n * sizeof *x);
    return copy;
}

enum status lesson_data_in(const struct format *format, const float *x, uint64_t n, struct lesson_data *data)
{
    float *copy = copy_of(x, n);
    *data = (struct lesson_data){0};
    return copy ? take(format, copy, NULL, n, data) : out_of_memory("the numbers of a lesson");
}

enum status lesson_data_of(const float *x, uint64_t n, struct lesson_data *data)
{
    return lesson_data_in(&FORMAT_BINARY32, x, n, data);
}

enum status lesson_data_of_pairs(const float *x, const float *y, uint64_t n, struct lesson_data *data)
{
    float *copies[] = {copy_of(x, n), copy_of(y, n)};
    *data = (struct lesson_data){0};
    if (copies[0] && copies[1])
        return take(&FORMAT_BINARY32, copies[0], copies[1], n, data);
    free_all(copies[0], copies[1]);
    return out_of_memory("the vectors of a lesson");
}

void lesson_data_free(struct lesson_data *data)
{
    if (data->x)
        exact_free(&data->exact);
    free_all(data->x, data->y);
    *data = (struct lesson_data){0};
}

static bool takes(const struct method *method, const struct lesson_data *data)
{
    const struct operation_row *row = &operation_table[method->operation];
    return method->replay && method_takes(method, data->format) &&
           (is_statistic(method->operation) ? row->vectors == (data->y ? 2 : 1)
                                            : row->of == (data->y ? PRODUCTS : NUMBERS_THEMSELVES));
}

static enum status find(const char *name, const struct lesson_data *data, struct launch launch,
                        const struct method **method)
{
    char why[REASON_SIZE];
    *method = method_find(name);
    if (!*method || !takes(*method, data))
        return bad_input(
            "lesson: expected a method with a replay that takes %s of %s, found \"%s\"; see `ulpscope list methods`",
            data->y ? "two vectors" : "one vector", data->format->name, name);
    if (method_can_do((*method), launch, why))
        return OK;
    return bad_input("lesson: %s with %u x %u threads: %s; choose another launch", name, launch.blocks, launch.threads,
                     why);
}

static void judge(const struct exact_sum *exact, struct launch launch, uint64_t bits, struct lesson_sum *sum)
{
    const struct promise promise = promise_of(sum->method, launch, exact);
    struct measured judged;
    judge_sum(exact, sum->method->format, &promise, bits, &judged);
    sum->computed = (float)judged.computed;
    sum->bound = judged.bound;
    sum->class = judged.class;
    memcpy(sum->metric, judged.metrics, sizeof sum->metric);
}

enum status lesson_add(const char *method, struct launch launch, const struct lesson_data *data, struct lesson_sum *sum)
{
    uint64_t bits = 0;
    *sum = (struct lesson_sum){0};
    TRY(find(method, data, launch, &sum->method));
    const struct operands of = {data->format, sum->method->operation, {data->x, data->y}, shape_of_one(data->n)};
    TRY(method_replay(sum->method, &of, launch, 1, &bits));
    if (!is_statistic(of.operation)) {
        judge(&data->exact, launch, bits, sum);
        return OK;
    }
    FREED_BY(exact_free) struct exact_sum exact = {0};
    const struct dataset numbers = {.format = data->format, .x = data->x, .y = data->y, .n = data->n};
    TRY(operation_exact(of.operation, &numbers, (struct exact_how){0}, &exact));
    judge(&exact, launch, bits, sum);
    return OK;
}

enum status lesson_add_first(const char *method, struct launch launch, const struct lesson_data *data, uint64_t n,
                             struct lesson_sum *sum)
{
    struct lesson_data first = {.format = data->format, .x = data->x, .y = data->y, .n = n}; /* not to be freed */
    TRY(exact_of(&first, n, &first.exact));
    const enum status status = lesson_add(method, launch, &first, sum);
    exact_free(&first.exact);
    return status;
}

int lesson_distinct(const struct lesson_sum *sums, int count)
{
    int distinct = 0;
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen |= float_same(sums[i].computed, sums[j].computed);
        distinct += !seen;
    }
    return distinct;
}

/* ---- claims ---- */

enum status lesson_claim(const struct sheet *sheet, bool holds, const char *claim)
{
    if (holds)
        return OK;
    return not_measured("lesson %s: its experiment ran and did not show that %s; it does on every machine that adds as "
                        "IEEE 754 has it; run `ulpscope doctor`",
                        sheet->id, claim);
}

void lesson_axis(struct chart_axis *axis, const char *label, enum chart_scale scale, double least, double most)
{
    chart_set(&axis->label, "%s", label);
    axis->scale = scale;
    axis->least = least;
    axis->most = most;
}

/* ---- bits ---- */

/* The bits of a number as its format has them.
 *
 *   binary32 -1.5    1 01111111 10000000000000000000000     sign, exponent, significand
 *   tf32      1      0 01111111 0000000000                  likewise, 10 bits
 */
enum { FIELD_TEXT = 64 }; /* room for the widest, 52 digits */

struct bit_fields {
    char sign[2], exponent[FIELD_TEXT], significand[FIELD_TEXT]; /* of 0 and 1; without the hidden bit */
};

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

/* A NaN is the quiet one without a payload. */
static struct bit_fields bit_fields_of(double value, const struct format *format)
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

void bits_text(double value, const struct format *format, char text[BITS_TEXT])
{
    const struct bit_fields fields = bit_fields_of(value, format);
    snprintf(text, BITS_TEXT, "%s | %s | %s", fields.sign, fields.exponent, fields.significand);
}

enum { LABEL_WIDTH = 18 };

/* Of the longest %a in the format: "-0x1.fffffep+127". */
static int hex_width(const struct format *format)
{
    return (format->precision + 2) / 4 + 10;
}

void bits_line(struct sheet *sheet, const char *name, const char *label, double value, const struct format *format)
{
    char bits[BITS_TEXT];
    bits_text(value, format, bits);
    sheet_line(sheet, name, "%-*s %-*s %s", LABEL_WIDTH, label, hex_width(format), hex_text(value), bits);
}

void bits_head(struct sheet *sheet, const char *name, const struct format *format)
{
    const int exponent_width = (int)strlen(bit_fields_of(0, format).exponent);
    sheet_line(sheet, name, "%-*s %-*s s | %-*s | %s", LABEL_WIDTH, format->name, hex_width(format), "as %a",
               exponent_width, "exponent", "fraction, behind a 1 that is not stored");
}

/* glibc writes binary numbers exactly, however many digits are asked for. */
void write_in_full(double value, char text[IN_FULL_TEXT])
{
    int length = snprintf(text, IN_FULL_TEXT, "%.1074f", value);
    while (length > 0 && length < IN_FULL_TEXT && text[length - 1] == '0')
        text[--length] = '\0';
    if (length > 0 && text[length - 1] == '.')
        text[length - 1] = '\0';
}

const char *grouped(uint64_t count, char text[GROUPED_TEXT])
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}
