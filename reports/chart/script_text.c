#include "script_text.h"

#include "reports/clean_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* gnuplot leaves ">" alone, so that "]]>" would not be XML, and copies hexadecimal references: markup goes as such.
 * Between single quotes nothing but a quote, doubled, is special. */
void script_quoted(FILE *script, const char *text, size_t most)
{
    char *clean = clean_text(text);
    fputc('\'', script);
    for (const char *c = clean; c && *c; c++) {
        if (starts_character(*c) && most-- == 0) {
            fputs("...", script);
            break;
        }
        if (strchr("<>&\"", *c))
            fprintf(script, "&#x%x;", *c);
        else
            fprintf(script, *c == '\'' ? "''" : "%c", *c);
    }
    fputc('\'', script);
    free(clean);
}

bool script_is_power(const char *text)
{
    const char *raised = strstr(text, "^{");
    if (!raised || !isdigit((unsigned char)*text) || strspn(text, "0123456789. x") != (size_t)(raised - text))
        return false;
    raised += raised[2] == '-' ? 3 : 2;
    const size_t digits = strspn(raised, "0123456789");
    return digits > 0 && strcmp(raised + digits, "}") == 0;
}

static double character_width(char c)
{
    if (!starts_character(c))
        return 0;
    if (strchr("ijl.,:;'|!()[] ft/I", c))
        return 0.36;
    return strchr("mwMW@%", c) ? 0.9 : isupper((unsigned char)c) ? 0.68 : 0.57;
}

double script_width(const char *text, double size)
{
    const bool power = script_is_power(text);
    double width = 0, scale = size;
    for (const char *c = text; *c; c++) {
        if (power && *c == '^')
            scale = 0.8 * size;
        else if (!power || !strchr("{}", *c))
            width += scale * character_width(*c);
    }
    return width;
}

size_t script_fitting(const char *text, double size, double width)
{
    const double room = width - script_width("...", size);
    double taken = 0;
    size_t characters = 0, all = 0;
    for (const char *c = text; *c; c++) {
        taken += size * character_width(*c);
        all += starts_character(*c);
        characters += starts_character(*c) && taken <= room;
    }
    return taken <= width ? all : characters;
}

size_t script_wrap(char *text, double size, double width)
{
    char *line = text, *blank = NULL;
    size_t lines = 1;
    for (char *c = text;; c++) {
        const char end = *c;
        if (end != ' ' && end != '\0')
            continue;
        *c = '\0';
        const bool fits = script_width(line, size) <= width;
        *c = end;
        if (!fits && blank) {
            *blank = '\n';
            line = blank + 1;
            lines++;
        }
        blank = c;
        if (end == '\0')
            return lines;
    }
}
