/* The texts of a file: each becomes a number of its format. */
#include "input.h"
#include "src/base/format.h"
#include "src/base/number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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

/* As a number of binary32, that many texts are without saying so: read in binary64 first, which most often is enough.
 */
static const char *read_unnamed(struct input *in, const char *text, double *value)
{
    double wide = 0;
    const char *wrong = read_double(text, &wide);
    *value = wide;
    if (wrong || (double)(float)wide != wide)
        wrong = read_in_format(text, &FORMAT_BINARY32, value, NULL);
    if (!wrong && isfinite(wide)) {
        in->rounded += *value != wide;
        in->moved += wide - *value;
        in->sum += wide;
    }
    return wrong;
}

/* That a fraction is rounded to a format that was named goes without saying. */
static bool is_rounded_integer(const char *text, double value)
{
    enum { DIGITS_EXACT = 15 }; /* of binary64 */
    double wide;
    int side = 0;
    const size_t length = strlen(text);
    if (text[strspn(text, "+-0123456789")] != '\0' || read_double(text, &wide) != NULL)
        return false;
    if (length > DIGITS_EXACT)
        (void)read_in_format(text, &FORMAT_BINARY64, &wide, &side);
    return side != 0 || (isfinite(value) && wide != value);
}

enum status input_add_text(struct input *in, const char *text, const char **wrong)
{
    const struct format *from = text_format(in->options);
    const bool is_unnamed = !in->options->format && !in->options->convert;
    double value = 0;
    *wrong = is_unnamed ? read_unnamed(in, text, &value) : read_in_format(text, from, &value, NULL);
    const bool is_beyond = *wrong && isinf(value);
    if (*wrong && !is_beyond)
        return OK;
    *wrong = NULL;
    if (!in->format)
        TRY(input_start(in, from, 0));
    if (is_beyond)
        return input_add_beyond(in, from, text, value);
    in->rounded += in->options->format && !in->options->convert && is_rounded_integer(text, value);
    return input_add(in, value, in->converter ? text_converted(in->options, text, value) : value);
}

enum status input_add_missing(struct input *in)
{
    if (!input_judge_nonfinite(in, "missing"))
        return OK;
    if (!in->format)
        TRY(input_start(in, text_format(in->options), 0));
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

const char *advice_on_number(const char *text)
{
    static const struct {
        char mark;
        const char *advice;
    } looks[] = {
        {'d', "write its exponent with an e, as 1.5e0"},
        {',', "write a decimal comma as a point, and each number on its own line"},
        {' ', "write each number on its own line"},
        {';', "write each number on its own line"},
        {'_', "write its digits without _"},
        {'f', "leave the f off"},
    };
    const size_t digits = strspn(text, "+-.0123456789");
    for (size_t i = 0; digits > 0 && i < sizeof looks / sizeof *looks; i++)
        if (tolower((unsigned char)text[digits]) == looks[i].mark)
            return looks[i].advice;
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
