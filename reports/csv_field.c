#include "csv_field.h"

#include "../src/number.h"

#include <inttypes.h>
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
    fprintf(file, "%s%" PRIu64, before, count);
}

void csv_double(FILE *file, const char *before, double value)
{
    char text[NUMBER_TEXT];
    write_double(value, text);
    fprintf(file, "%s%s", before, text);
}

void csv_bits(FILE *file, const char *before, uint32_t bits)
{
    fprintf(file, "%s0x%08" PRIx32, before, bits);
}
