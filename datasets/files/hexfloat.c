/* .f32 .hex .txt: one number per line, as a hex float (what %a prints) or a decimal, which is rounded once to binary32,
 * or to what format= says: the ending .f32 says no more than the others.  Lines that are blank or start with '#' say
 * nothing; blanks around a number are fine, anything else beside it is not.  With column= or delimiter= it is a table
 * (csv.c), of columns with blanks between them where no delimiter is given.
 *
 *   # gensum:n=3,cond=1e2      Ogita, Rump and Oishi 2005
 *   0x1.8p+3
 *   -0x1p-149
 *   0.1                        is 0x1.99999ap-4
 */
#include "file_formats.h"

enum {
    LINE_MOST = 4095,
    COMMENT_MOST = LINE_MOST - 2, /* behind "# " */
};

#define IF_BINARY "if it is binary, name it .raw or save it as .npy"

/* The next line, without its newline.  *last when the file ends with it.  fgets would hide NUL bytes. */
static enum status read_line(struct input *in, char line[LINE_MOST + 1], bool *last)
{
    size_t length = 0;
    int c;
    in->line++;
    while ((c = getc_unlocked(in->file)) != '\n' && c != EOF) {
        if (c == '\0')
            return refuse(in, "holds a NUL byte; expected text in ASCII or UTF-8, which .f32 is as well; if it is "
                              "UTF-16, convert it with iconv; " IF_BINARY);
        if (length == LINE_MOST)
            return refuse(in,
                          "is longer than %d characters; expected one number per line; put each number on its own line",
                          LINE_MOST);
        line[length++] = (char)c;
    }
    line[length] = '\0';
    *last = c == EOF;
    return ferror(in->file) ? input_failed(in) : OK;
}

static enum status read_number(struct input *in, const char *text)
{
    const char *wrong;
    TRY(input_add_text(in, text, &wrong));
    if (!wrong)
        return OK;
    struct advice room;
    const char *advice = advice_on_number(in->options, text, &room);
    if (!advice && !strpbrk(text, "0123456789"))
        advice = is_clean_text(text) ? "correct it, or make the line a comment with #, if it is no number"
                                     : ".f32 is text as .txt is; " IF_BINARY;
    const bool is_option = advice && strchr(advice, '='), is_pipe = strcmp(in->path, "standard input") == 0;
    return refuse(in, "\"%s\" %s; expected one number such as 0x1.8p+3 or 12.0; %s%s", quote(text).text, wrong,
                  advice ? advice : "correct it",
                  is_option && is_pipe ? ", behind the name of a file with these numbers" : "");
}

enum status read_hexfloat(struct input *in)
{
    char line[LINE_MOST + 1];
    if (in->options->column || in->options->delimiter)
        return read_columns(in, FILE_BLANK);
    skip_byte_order_mark(in->file);
    for (bool last = false; !last;) {
        TRY(read_line(in, line, &last));
        const char *text = trim(line);
        if (*text != '\0' && *text != '#')
            TRY(read_number(in, text));
    }
    in->line = 0;
    return OK;
}

/* Lines of the comment that a reader would refuse as too long are broken. */
static void write_comment(FILE *file, const char *comment)
{
    while (*comment != '\0') {
        const size_t line = strcspn(comment, "\n");
        const size_t part = line < COMMENT_MOST ? line : COMMENT_MOST;
        fprintf(file, "# %.*s\n", (int)part, comment);
        comment += part + (comment[part] == '\n');
    }
}

/* A reader who is not told the format would round to binary32. */
void write_hexfloat(FILE *file, const struct dataset *data, const struct label *label)
{
    if (label->comment)
        write_comment(file, label->comment);
    if (data->format->precision != FORMAT_BINARY32.precision)
        fprintf(file, "# numbers of %s: read with format=%s\n", data->format->name, data->format->name);
    for (uint64_t i = 0; i < data->n; i++) {
        char text[NUMBER_TEXT];
        write_hex(held_number(data->format, data->x, i), text);
        fprintf(file, "%s\n", text);
    }
}
