#include "canvas.h"

#include <ctype.h>

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

bool letters_are_power(const char *text)
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

double letters_width(const char *text, double size)
{
    const bool power = letters_are_power(text);
    double width = 0, scale = size;
    for (const char *c = text; *c; c++) {
        if (power && *c == '^')
            scale = 0.8 * size;
        else if (!power || !strchr("{}", *c))
            width += scale * character_width(*c);
    }
    return width;
}

size_t letters_fitting(const char *text, double size, double width)
{
    const double room = width - letters_width("...", size);
    double taken = 0;
    size_t fitting = 0;
    for (const char *c = text; *c; c++) {
        if (starts_character(*c) && taken <= room)
            fitting = (size_t)(c - text);
        taken += size * character_width(*c);
    }
    return taken <= width ? strlen(text) : fitting;
}

size_t letters_wrap(char *text, double size, double width)
{
    char *line = text, *blank = NULL;
    size_t lines = 1;
    for (char *c = text;; c++) {
        const char end = *c;
        if (end != ' ' && end != '\0')
            continue;
        *c = '\0';
        const bool fits = letters_width(line, size) <= width;
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
