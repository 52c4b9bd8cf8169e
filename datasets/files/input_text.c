/* The texts of a file: each becomes a number of its format. */
#include "input.h"

#include <ctype.h>

/* Of the numbers of a text; those that are to be rounded to another are read as wide as can be, unless it is said what
 * they are. */
static const struct format *text_format(const struct file_options *options)
{
    if (options->format)
        return options->format;
    return options->convert ? &FORMAT_BINARY64 : &FORMAT_BINARY32;
}

/* A decimal is rounded to convert= itself, and not what binary64 makes of it: once. */
static double text_converted(const struct file_options *options, const char *text, double value)
{
    double rounded;
    if (options->format || read_in_format(text, options->convert, &rounded, NULL))
        return rounded_to(value, options->convert);
    return rounded;
}

/* ---- marks of decimals and of thousands, and Fortran's exponents ---- */

/* The length of the mark at `at`, or 0.  Blanks may be those that do not break a line, U+00A0, U+2009 and U+202F. */
static size_t mark_length(const char *at, char mark)
{
    static const char *const blanks[] = {" ", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf"};
    for (size_t i = 0; mark == FILE_BLANK && i < sizeof blanks / sizeof *blanks; i++)
        if (strncmp(at, blanks[i], strlen(blanks[i])) == 0)
            return strlen(blanks[i]);
    return mark != '\0' && *at == mark;
}

/* As C writes it: a point, no mark of thousands, e for Fortran's d.  `plain` has room for all of the text.  What is
 * wrong, or NULL. */
static const char *make_plain(char decimal, char thousands, const char *text, char *plain)
{
    const bool is_hex = strpbrk(text, "xX") != NULL;
    size_t digits = 0, groups = 0, length;
    bool is_whole = true; /* in front of the decimals */
    if (*text == '+' || *text == '-')
        *plain++ = *text++;
    for (; *text != '\0'; text++) {
        length = is_whole ? mark_length(text, thousands) : 0;
        if (length > 0 && (digits == 0 || (groups > 0 ? digits != 3 : digits > 3)))
            return "has a mark of thousands that does not stand between groups of three digits";
        if (length > 0) {
            groups++;
            digits = 0;
            text += length - 1;
            continue;
        }
        digits += isdigit((unsigned char)*text) ? 1 : 0;
        if (!isdigit((unsigned char)*text) && is_whole) {
            is_whole = false;
            if (groups > 0 && digits != 3)
                return "has a mark of thousands that does not stand between groups of three digits";
        }
        if (*text == '.' && decimal == ',')
            return "has a point, and decimal=comma was given";
        *plain++ = (char)(*text == decimal ? '.' : !is_hex && (*text == 'd' || *text == 'D') ? 'e' : *text);
    }
    *plain = '\0';
    return is_whole && groups > 0 && digits != 3
               ? "has a mark of thousands that does not stand between groups of three digits"
               : NULL;
}

static enum status add_plain(struct input *in, const char *text, const char **wrong);

enum status input_add_text(struct input *in, const char *text, const char **wrong)
{
    const char decimal = in->options->decimal ? in->options->decimal : '.', thousands = in->options->thousands;
    if (decimal == '.' && thousands == '\0' && !strpbrk(text, "dD"))
        return add_plain(in, text, wrong);
    char *plain = malloc(strlen(text) + 1);
    if (!plain)
        return out_of_memory("a number of a text");
    *wrong = make_plain(decimal, thousands, text, plain);
    const enum status status = *wrong ? OK : add_plain(in, plain, wrong);
    free(plain);
    return status;
}

static enum status add_plain(struct input *in, const char *text, const char **wrong)
{
    struct storage *const given = in->consumer->storage, *const storage = given ? given : &in->storage;
    const struct format *from = given ? given->formats[0].format : text_format(in->options);
    const struct stored_in *stored = storage->formats;
    const bool is_word = isalpha((unsigned char)text[*text == '-' || *text == '+']); /* nan, inf */
    double word = 0;
    if (!given && !in->format)
        *storage = (struct storage){.format_count = 1, .formats = {{.format = from}}};
    *wrong = is_word ? read_double(text, &word) : storage_read(storage, text);
    if (*wrong)
        return OK;
    if (!in->format)
        TRY(input_start(in, from, 0));
    if (is_word)
        return input_add(in, word, word);
    if (!isfinite(stored->value) && !given)
        return input_add_beyond(in, from, text, stored->value);
    if (in->options->convert) {
        const double value = stored->value, rounded = text_converted(in->options, text, value);
        const uint64_t before = in->n;
        TRY(input_add(in, value, rounded));
        if (in->n > before && stored->is_changed && storage->number.is_integer)
            storage_note_integer(storage, value == rounded);
        return OK;
    }
    if (stored->is_changed && storage->number.is_integer && !given) {
        input_note_refused(in, &in->inexact, text);
        in->inexact.format = from;
        return OK;
    }
    *wrong = storage_keep(storage);
    return *wrong ? OK : input_keep(in, stored->value, stored->value);
}

enum status input_add_missing(struct input *in)
{
    if (!input_judge_nonfinite(in, "missing"))
        return OK;
    if (!in->format)
        TRY(input_start(in, in->consumer->storage ? &FORMAT_BINARY64 : text_format(in->options), 0));
    return input_keep(in, NAN, NAN);
}

/* ---- text ---- */

void skip_byte_order_mark(FILE *file)
{
    static const int mark[] = {0xEF, 0xBB, 0xBF};
    size_t matched = 0;
    while (matched < 3) {
        const int c = getc(file);
        if (c == mark[matched]) {
            matched++;
            continue;
        }
        ungetc(c, file); /* a pipe cannot be rewound */
        while (matched > 0)
            ungetc(mark[--matched], file);
        return;
    }
}

char *trim(char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

/* How it could be read, were it said what its marks are. */
static const char *advice_on_marks(const struct file_options *options, const char *text, struct advice *advice)
{
    static const struct {
        char decimal, thousands;
        const char *options;
    } ways[] = {
        {',', '\0', "decimal=comma"},
        {'.', ',', "thousands=comma"},
        {',', '.', "decimal=comma,thousands=point"},
        {'.', '\'', "thousands=apostrophe"},
        {'.', '_', "thousands=underscore"},
        {'.', ' ', "thousands=blank"},
        {',', ' ', "decimal=comma,thousands=blank"},
    };
    char plain[QUOTED_MOST + 1];
    double value;
    size_t used = 0;
    for (size_t i = 0; strlen(text) <= QUOTED_MOST && i < sizeof ways / sizeof *ways; i++) {
        const bool is_used = strchr(text, ways[i].decimal) || ways[i].decimal == '.' || ways[i].thousands == '.';
        if (!is_used || make_plain(ways[i].decimal, ways[i].thousands, text, plain) || read_double(plain, &value))
            continue;
        if (ways[i].thousands != '\0' && strlen(plain) == strlen(text)) /* there is no such mark in it */
            continue;
        if (ways[i].decimal == options->decimal && ways[i].thousands == options->thousands)
            continue;
        used += (size_t)snprintf(advice->text + used, sizeof advice->text - used, "%s%s with %s",
                                 used > 0 ? ", or " : "it is ", plain, ways[i].options);
    }
    if (used > 0)
        snprintf(advice->text + used, sizeof advice->text - used, ": give what is meant");
    return used > 0 ? advice->text : NULL;
}

const char *advice_on_number(const struct file_options *options, const char *text, struct advice *advice)
{
    const size_t digits = strspn(text, "+-.0123456789");
    const char *const marks = digits > 0 ? advice_on_marks(options, text, advice) : NULL;
    const size_t length = strlen(text);
    if (marks && options->delimiter == '\0' && text[digits] == ' ')
        strncat(advice->text, "; or, if these are columns, delimiter=blank,column=1",
                sizeof advice->text - strlen(advice->text) - 1);
    if (marks)
        return marks;
    if (digits > 0 && options->delimiter == '\0' && text[digits + strspn(text + digits, " \t")] == '#')
        return "give delimiter=blank, with which a comment may stand behind a number";
    if (digits > 0 && options->delimiter == '\0' && text[digits] != '\0' && strchr(" \t;|,", text[digits]))
        return "give delimiter= (blank, tab, comma, ; or |) and column= for one of these columns";
    if (digits > 0 && digits + 1 == length && strchr("fFlL", text[digits]))
        return "leave the letter off";
    return NULL;
}

struct quoted quote(const char *text)
{
    struct quoted quoted;
    size_t length = strnlen(text, QUOTED_MOST + 1);
    const bool cut = length > QUOTED_MOST;
    if (cut) /* not in the middle of a UTF-8 character, whose later bytes are 10xxxxxx */
        for (length = QUOTED_MOST; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;)
            length--;
    for (size_t i = 0; i < length; i++)
        quoted.text[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7F ? '?' : text[i];
    strcpy(quoted.text + length, cut ? "..." : "");
    return quoted;
}
