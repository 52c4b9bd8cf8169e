#include "lesson_tools.h"

#include "../datasets/dataset.h"
#include "../src/number.h"

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
        complain("lesson: \"%s\" was found where a method with a replay was expected; see `ulpscope list methods`",
                 name);
        return BAD_INPUT;
    }
    if ((*method)->can_do(launch, why))
        return OK;
    complain("lesson: %s with %u x %u threads: %s; choose another launch", name, launch.blocks, launch.threads, why);
    return BAD_INPUT;
}

static void judge(const struct lesson_data *data, struct launch launch, struct lesson_sum *sum)
{
    const struct exact_sum *exact = &data->exact;
    const struct magnitudes magnitudes = {exact->abs_above, exact->sum_abs_above, exact->max_abs};
    sum->bound = sum->method->bound(data->n, launch, &magnitudes);
    const struct judged judged = {exact, (double)sum->computed, sum->bound};
    sum->class = classify(exact, (double)sum->computed);
    for (int m = 0; m < METRICS; m++)
        sum->metric[m] = metric_table[m].measure(&judged);
}

enum status lesson_add(const char *method, struct launch launch, const struct lesson_data *data, struct lesson_sum *sum)
{
    *sum = (struct lesson_sum){0};
    TRY(find(method, launch, &sum->method));
    TRY(sum->method->replay(data->x, data->n, launch, 1, &sum->computed));
    judge(data, launch, sum);
    return OK;
}

/* ---- bits ---- */

struct fields {
    uint64_t exponent, fraction;
    int exponent_bits, fraction_bits;
};

static struct fields fields_of(double magnitude, const struct format *format)
{
    const int fraction_bits = format->precision - 1, bits = 8 * (int)format->bytes,
              bias = format->overflow_exponent - 1;
    struct fields of = {0, 0, bits - format->precision, fraction_bits};
    if (!(magnitude <= DBL_MAX)) { /* infinite, or a NaN, which is told by its first bit */
        of.exponent = (UINT64_C(1) << of.exponent_bits) - 1;
        of.fraction = isnan(magnitude) ? UINT64_C(1) << (fraction_bits - 1) : 0;
        return of;
    }
    int exponent;
    (void)frexp(magnitude, &exponent); /* magnitude = 0.1... * 2^exponent */
    if (magnitude != 0 && exponent - 1 >= 1 - bias) {
        of.exponent = (uint64_t)(exponent - 1 + bias);
        magnitude -= ldexp(1, exponent - 1);
        of.fraction = (uint64_t)ldexp(magnitude, fraction_bits - (exponent - 1));
    } else
        of.fraction = (uint64_t)ldexp(magnitude, -format->least_exponent);
    return of;
}

static char *write_bits(char *to, uint64_t bits, int count)
{
    for (int i = count - 1; i >= 0; i--)
        *to++ = (char)('0' + (bits >> i & 1));
    return to;
}

void bits_text(double value, const struct format *format, char text[BITS_TEXT])
{
    const struct fields of = fields_of(fabs(value), format);
    char *end = text + sprintf(text, "%d | ", signbit(value) != 0);
    end = write_bits(end, of.exponent, of.exponent_bits);
    end += sprintf(end, " | ");
    *write_bits(end, of.fraction, of.fraction_bits) = '\0';
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
    const int exponent_bits = 8 * (int)format->bytes - format->precision;
    sheet_line(sheet, name, "%-*s %-*s s | %-*s | %s", LABEL_WIDTH, format->name, hex_width(format), "as %a",
               exponent_bits, "exponent", "fraction, behind a 1 that is not stored");
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
