#include "base.h"

void text_append(struct text *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_append_of(to, format, arguments);
    va_end(arguments);
}

void text_append_of(struct text *to, const char *format, va_list arguments)
{
    OWNED char *added = NULL;
    const int length = vasprintf(&added, format, arguments);
    if (length < 0)
        memory_ran_out();
    to->text = memory_resized(to->text, to->length + (unsigned long)length + 1);
    memcpy(to->text + to->length, added, (unsigned long)length + 1);
    to->length += (unsigned long)length;
}

/* A byte of three octal digits ends there, whatever follows. */
static void append_dollar_word(struct text *to, const char *word)
{
    text_append(to, "$'");
    for (const char *c = word; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            text_append(to, "\\%03o", (unsigned)(unsigned char)*c);
        else
            text_append(to, strchr("'\\", *c) ? "\\%c" : "%c", *c);
    text_append(to, "'");
}

void text_append_shell_word(struct text *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        text_append(to, "%s", word);
        return;
    }
    if (!is_clean_text(word)) {
        append_dollar_word(to, word);
        return;
    }
    text_append(to, "'");
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'')
            text_append(to, "'\\''");
        else
            text_append(to, "%c", *c);
    }
    text_append(to, "'");
}

/* What is doubled is doubled first: the backslashes of what is made visible are no part of the text. */
void text_append_quoted(struct text *to, const char *text)
{
    struct text doubled = {0};
    for (const char *c = text; *c != '\0'; c++)
        text_append(&doubled, strchr("\"\\", *c) ? "%c%c" : "%c", *c, *c);
    OWNED char *all = text_take(&doubled), *clean = clean_text(all);
    text_append(to, "\"%s\"", clean);
}

void text_append_value(struct text *to, const char *value)
{
    if (*value == '"' || strchr(value, ',') || !is_clean_text(value))
        text_append_quoted(to, value);
    else
        text_append(to, "%s", value);
}

char *text_take(struct text *from)
{
    char *text = from->text ? from->text : memory_copy("");
    *from = (struct text){0};
    return text;
}

const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

char *text_made(const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_append_of(&text, format, arguments);
    va_end(arguments);
    return text.text;
}

/* ---- a stream that becomes a text ---- */

struct target {
    char **text;
    size_t *length, room;
};

static ssize_t add_bytes(void *cookie, const char *bytes, size_t count)
{
    struct target *to = cookie;
    const size_t needed = *to->length + count + 1;
    if (needed > to->room) /* doubled: a character at a time would copy all of it each time */
        *to->text = memory_resized(*to->text, to->room = 2 * needed);
    memcpy(*to->text + *to->length, bytes, count);
    *to->length += count;
    (*to->text)[*to->length] = '\0';
    return (ssize_t)count;
}

/* For ftell. */
static int tell_place(void *cookie, off64_t *offset, int from)
{
    if (from == SEEK_SET || *offset != 0)
        return -1;
    *offset = (off64_t) * ((const struct target *)cookie)->length;
    return 0;
}

static int forget_target(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *text_stream(char **text, size_t *length)
{
    struct target *to = memory_cleared(1, sizeof *to);
    *to = (struct target){text, length, 1};
    *text = memory_copy("");
    *length = 0;
    FILE *file = fopencookie(to, "w", (cookie_io_functions_t){NULL, add_bytes, tell_place, forget_target});
    if (!file)
        memory_ran_out();
    setvbuf(file, NULL, _IONBF, 0); /* no buffer that could be missing */
    return file;
}

/* Reads an escape that text_append_quoted writes: the bytes that it stands for, their number, and its end.  0: it is no
 * escape, and the backslash is a backslash. */
static size_t read_escape(const char *from, char bytes[4], const char **end)
{
    static const char names[] = "tnr\\", named[] = "\t\n\r\\";
    const char *name = from[1] ? strchr(names, from[1]) : NULL;
    const bool is_long = from[1] == 'u';
    const size_t digits = is_long ? 4 : 2;
    char hex[5] = "";
    *end = from + 2;
    if (name) {
        bytes[0] = named[name - names];
        return 1;
    }
    if (from[1] != 'x' && !is_long)
        return 0;
    memccpy(hex, from + 2, '\0', digits);
    const unsigned code = (unsigned)strtoul(hex, NULL, 16);
    if (strspn(hex, "0123456789abcdefABCDEF") != digits || code < (is_long ? 0x80 : 1))
        return 0;
    *end += digits;
    bytes[0] = (char)code;
    if (!is_long)
        return 1;
    const size_t count = code < 0x800 ? 2 : 3;
    bytes[0] = (char)(count == 2 ? 0xc0 | code >> 6 : 0xe0 | code >> 12);
    bytes[count - 2] = (char)(count == 2 ? (unsigned char)bytes[0] : 0x80 | (code >> 6 & 0x3f));
    bytes[count - 1] = (char)(0x80 | (code & 0x3f));
    return count;
}

bool text_unquote(char *text, char **rest)
{
    char *to = text;
    for (char *from = text + 1; *from != '\0'; from++) {
        char bytes[4];
        const char *end;
        const size_t count = *from == '\\' ? read_escape(from, bytes, &end) : 0;
        if (count > 0) {
            to = mempcpy(to, bytes, count);
            from += end - from - 1;
            continue;
        }
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            *rest = from;
            return true;
        }
        *to++ = *from;
    }
    return false;
}
