#include "lesson_tools.h"

#include "datasets/dataset.h"
#include "src/base/number.h"
#include "src/measure/judge.h"
#include "src/teach/bits/bit_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums ---- */

/* Takes x, also when it fails. */
static enum status take(float *x, uint64_t n, struct lesson_data *data)
{
    const enum status status = exact_sum(&FORMAT_BINARY32, x, n, &data->exact);
    if (status != OK) {
        free(x);
        return status;
    }
    data->x = x;
    data->n = n;
    return OK;
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
    return status == OK ? take(made.x, made.n, data) : status;
}

enum status lesson_data_of(const float *x, uint64_t n, struct lesson_data *data)
{
    *data = (struct lesson_data){0};
    float *copy = malloc((size_t)(n + 1) * sizeof *copy);
    if (!copy)
        return out_of_memory("the numbers of a lesson");
    if (n > 0)
        memcpy(copy, x, (size_t)n * sizeof *x);
    return take(copy, n, data);
}

void lesson_data_free(struct lesson_data *data)
{
    if (data->x)
        exact_free(&data->exact);
    free(data->x);
    *data = (struct lesson_data){0};
}

static enum status find(const char *name, struct launch launch, const struct method **method)
{
    char why[REASON_SIZE];
    *method = method_find(name);
    if (!*method || !(*method)->replay) {
        complain("lesson: expected a method with a replay, found \"%s\"; see `ulpscope list methods`", name);
        return BAD_INPUT;
    }
    if (method_can_do((*method), launch, why))
        return OK;
    complain("lesson: %s with %u x %u threads: %s; choose another launch", name, launch.blocks, launch.threads, why);
    return BAD_INPUT;
}

static void judge(const struct lesson_data *data, struct launch launch, struct lesson_sum *sum)
{
    const struct promise promise = promise_of(sum->method, launch, &data->exact);
    struct measured judged;
    judge_sum(&data->exact, &FORMAT_BINARY32, &promise, float_bits(sum->computed), &judged);
    sum->bound = judged.bound;
    sum->class = judged.class;
    memcpy(sum->metric, judged.metrics, sizeof sum->metric);
}

enum status lesson_add(const char *method, struct launch launch, const struct lesson_data *data, struct lesson_sum *sum)
{
    *sum = (struct lesson_sum){0};
    TRY(find(method, launch, &sum->method));
    TRY(method_sum(sum->method, data->x, data->n, launch, 1, &sum->computed));
    judge(data, launch, sum);
    return OK;
}

/* ---- bits ---- */

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
    char hex[NUMBER_TEXT], bits[BITS_TEXT];
    write_hex(value, hex);
    bits_text(value, format, bits);
    sheet_line(sheet, name, "%-*s %-*s %s", LABEL_WIDTH, label, hex_width(format), hex, bits);
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
