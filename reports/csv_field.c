#include "csv_field.h"

#include "kernels/operation_word.h"

#include <ctype.h>

/* A field that starts or ends with a blank is quoted too: some readers strip blanks. */
static int needs_quotes(const char *text)
{
    const size_t length = strlen(text);
    return strpbrk(text, ",\"\r\n") || text[0] == ' ' || (length > 0 && text[length - 1] == ' ');
}

/* What a spreadsheet would take for a formula; a number is none.  No name of this program's begins so (datasets/spec.h
 * writes ./ before a file's), but a run.db may come from anywhere. */
static bool is_formula(const char *text)
{
    const char *number = text + (*text == '+' || *text == '-');
    const bool begins =
        isdigit((unsigned char)number[*number == '.']) || strcmp(number, "inf") == 0 || strcmp(number, "nan") == 0;
    if (number == text || !begins)
        return *text != '\0' && strchr("=+-@", *text);
    for (; *number != '\0'; number++)
        if (!isxdigit((unsigned char)*number) && !strchr(".xpinf", *number) &&
            !(strchr("+-", *number) && strchr("eEpP", number[-1])))
            return true;
    return false;
}

static void write_field(FILE *file, const char *text)
{
    const char *mark = is_formula(text) ? "'" : "";
    const bool is_quoted = needs_quotes(text);
    fputs(is_quoted ? "\"" : "", file);
    fputs(mark, file);
    if (!is_quoted) {
        fputs(text, file);
        return;
    }
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void csv_text(FILE *file, const char *before, const char *text)
{
    OWNED char *clean = is_clean_text(text) ? NULL : clean_text(text);
    fputs(before, file);
    write_field(file, clean ? clean : text);
}

void csv_count(FILE *file, const char *before, uint64_t count)
{
    char digits[NUMBER_TEXT], *first = digits + sizeof digits - 1;
    *first = '\0';
    do
        *--first = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    fputs(before, file);
    fputs(first, file);
}

void csv_double(FILE *file, const char *before, double value)
{
    fputs(before, file);
    fputs(double_text(value), file);
}

void csv_bits(FILE *file, const char *before, const struct format *format, uint64_t bits)
{
    char text[FORMAT_BITS_TEXT];
    format_write_bits(format, bits, text);
    fputs(before, file);
    fputs(text, file);
}

/* Metrics with a place among the contract's columns; the rest of metrics.def follows after the last of these. */
static const bool has_a_place[METRICS] = {
    [METRIC_abs_error] = true,      [METRIC_relative_error] = true, [METRIC_ulp_error] = true,
    [METRIC_backward_error] = true, [METRIC_bound_ratio] = true,
};

void csv_write_header(FILE *file, const char *const *more)
{
    fputs("method,data,n,format,operation,seed,trial,backend,device,blocks,threads,repeat,computed,computed_bits,exact,"
          "nearest_bits,abs_error,relative_error,ulp_error,backward_error,condition,bound,bound_ratio,class,height,"
          "probable_bound,weight,stored,added,i,j,digest",
          file);
    for (enum metric m = 0; m < METRICS; m++)
        if (!has_a_place[m])
            fprintf(file, ",%s", metric_table[m].id);
    for (; more && *more; more++)
        fprintf(file, ",%s", *more);
    fputc('\n', file);
}

void csv_write_row(FILE *file, const struct result *row, const char *const *more)
{
    char word[OPERATION_WORD_SIZE];
    csv_text(file, "", row->method);
    csv_text(file, ",", row->data);
    csv_count(file, ",", row->n);
    csv_text(file, ",", row->format->name);
    csv_text(file, ",", operation_word(row->method, row->operation, word));
    csv_count(file, ",", row->seed);
    csv_count(file, ",", row->trial);
    csv_text(file, ",", row->backend->id);
    csv_text(file, ",", row->device);
    csv_count(file, ",", row->launch.blocks);
    csv_count(file, ",", row->launch.threads);
    csv_count(file, ",", row->repeat);
    csv_double(file, ",", row->computed); /* of 1e+12, binary32's shortest, binary64 would make a number 4096 off */
    csv_bits(file, ",", row->format, row->computed_bits);
    csv_text(file, ",", row->exact);
    csv_bits(file, ",", row->format, row->nearest_bits);
    csv_double(file, ",", row->metrics[METRIC_abs_error]);
    csv_double(file, ",", row->metrics[METRIC_relative_error]);
    csv_double(file, ",", row->metrics[METRIC_ulp_error]);
    csv_double(file, ",", row->metrics[METRIC_backward_error]);
    csv_double(file, ",", row->condition);
    csv_double(file, ",", row->bound);
    csv_double(file, ",", row->metrics[METRIC_bound_ratio]);
    csv_text(file, ",", class_names[row->class]);
    csv_count(file, ",", row->height);
    csv_double(file, ",", row->probabilistic_bound);
    csv_count(file, ",", row->weight);
    const struct sum_format *formats = sum_format_of_method(row->method);
    csv_text(file, ",", formats ? formats->stored->name : "");
    csv_text(file, ",", formats ? formats->added->name : "");
    csv_count(file, ",", row->i);
    csv_count(file, ",", row->j);
    csv_text(file, ",", row->digest);
    for (enum metric m = 0; m < METRICS; m++)
        if (!has_a_place[m])
            csv_double(file, ",", row->metrics[m]);
    for (; more && *more; more++)
        csv_text(file, ",", *more);
    fputc('\n', file);
}
