#include "csv_field.h"

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
