#include "base.h"

/* Bytes of "\u202e" and its end.  A character never becomes more than four times as long. */
enum { PIECE = 8 };

/* Bytes of the character at `text`; 0 when it is broken, overlong or a surrogate. */
static size_t read_character(const unsigned char *text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* by bytes */
    const size_t bytes = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc0 ? 2 : 0;
    if (bytes == 0 || text[0] >= 0xf8)
        return 0;
    *code = bytes == 1 ? text[0] : text[0] & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3fu);
    }
    const bool is_none = *code < least[bytes] || (*code >= 0xd800 && *code < 0xe000) || *code > 0x10ffff;
    return is_none ? 0 : bytes;
}

/* Control characters, line breaks, marks of direction, characters that cannot be seen, and what XML forbids. */
static bool acts(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200e, 0x200f},   {0x2028, 0x202e},
        {0x2066, 0x2069}, {0xfeff, 0xfeff}, {0xfffe, 0xffff}, {0xe0000, 0xe007f},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

static bool begins_a_command(const char *all, const char *text)
{
    return strncmp(text, "##[", 3) == 0 || (strncmp(text, "::", 2) == 0 && (text == all || text[-1] == ' '));
}

/* The visible form of the character at `text`, somewhere in `all`; returns the bytes that it had. */
static size_t make_visible(const char *all, const char *text, char piece[PIECE])
{
    static const char named[] = "\t\n\r", names[] = "tnr";
    const unsigned char first = (unsigned char)*text;
    const char *name = strchr(named, *text);
    uint32_t code;
    const size_t bytes = read_character((const unsigned char *)text, &code);
    if (bytes > 0 && !acts(code) && !begins_a_command(all, text)) {
        memcpy(piece, text, bytes);
        piece[bytes] = '\0';
        return bytes;
    }
    if (bytes > 1 && code <= 0xffff) {
        snprintf(piece, PIECE, "\\u%04x", (unsigned)code);
        return bytes;
    }
    snprintf(piece, PIECE, name ? "\\%c" : "\\x%02x", name ? names[name - named] : first);
    return 1;
}

char *clean_text(const char *text)
{
    const char *all = text;
    char *clean = memory_resized(NULL, 4 * strlen(text) + 1), *end = clean, piece[PIECE];
    while (*text) {
        text += make_visible(all, text, piece);
        end = stpcpy(end, piece);
    }
    *end = '\0';
    return clean;
}

char *clean_text_of(const char *format, va_list arguments)
{
    OWNED char *raw = NULL;
    if (vasprintf(&raw, format, arguments) < 0)
        memory_ran_out();
    return clean_text(raw);
}

void clean_write(FILE *file, const char *text)
{
    const char *all = text;
    char piece[PIECE];
    while (*text) {
        text += make_visible(all, text, piece);
        fputs(piece, file);
    }
}

/* Without memory the line is cut: that memory ran out is said in such a line, too. */
void clean_line_of(FILE *file, const char *before, const char *format, va_list arguments)
{
    char cut[512], *whole;
    va_list again;
    va_copy(again, arguments);
    if (vasprintf(&whole, format, arguments) < 0)
        whole = NULL;
    if (!whole)
        vsnprintf(cut, sizeof cut, format, again);
    va_end(again);
    flockfile(file);
    fputs(before, file);
    clean_write(file, whole ? whole : cut);
    fputc('\n', file);
    funlockfile(file);
    free(whole);
}

void clean_line(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    clean_line_of(file, "", format, arguments);
    va_end(arguments);
}

/* Most are, and no CSV of many rows should wait for those. */
static bool is_plain(char byte)
{
    return byte >= ' ' && byte <= '~' && byte != '#' && byte != ':';
}

bool is_clean_text(const char *text)
{
    const char *all = text;
    char piece[PIECE];
    while (*text) {
        if (is_plain(*text)) {
            text++;
            continue;
        }
        const size_t bytes = make_visible(all, text, piece);
        if (strncmp(piece, text, bytes) != 0 || piece[bytes] != '\0')
            return false;
        text += bytes;
    }
    return true;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}
