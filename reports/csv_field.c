#include "csv_field.h"

#include "src/base/number.h"

#include <string.h>

/* A field that starts or ends with a blank is quoted too: some readers strip blanks. */
static int needs_quotes(const char *text)
{
    const size_t length = strlen(text);
    return strpbrk(text, ",\"\r\n") || text[0] == ' ' || (length > 0 && text[length - 1] == ' ');
}

void csv_text(FILE *file, const char *before, const char *text)
{
    fputs(before, file);
    if (!needs_quotes(text)) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
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
    char text[NUMBER_TEXT];
    write_double(value, text);
    fputs(before, file);
    fputs(text, file);
}

void csv_bits(FILE *file, const char *before, const struct format *format, uint64_t bits)
{
    char text[FORMAT_BITS_TEXT];
    format_write_bits(format, bits, text);
    fputs(before, file);
    fputs(text, file);
}
