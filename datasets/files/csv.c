/* .csv: one column of a table with commas (RFC 4180, split by libcsv), each number a decimal that is rounded once,
 * to binary32 or to format=.  delimiter= is what stands in place of the comma; of delimiter=blank any blanks are one,
 * no quotes are known, and what follows a # says nothing, up to the end of the line.  .tsv .tab: with tabs.
 *
 *   date,co2              co2.csv:column=co2 or column=2      316.1, then a missing one
 *   19580329,316.1
 *   19580510,
 *
 * A column is named by its number from 1 or, when the word is no number, by its header.  The first row is a header when
 * a column is asked for by name, or when its field in the column is a word (a letter or _ first, so that a misspelt
 * number is refused and not passed over, as O.5 is, and no missing value), or when that field is empty and the others
 * are words.  The first row says how many columns there are.  A row with fewer fields than the column's number, or with
 * an empty one there, has a missing value; a row with more is refused: it is most often a decimal comma.  Blank lines
 * say nothing.
 */
#include "file_formats.h"
#include "src/base/list.h"

#include <csv.h>
#include <ctype.h>

enum {
    CHUNK = 1 << 16,
    FIELD_MOST = 1 << 16, /* a field still open after so much, at the end of a chunk, is a quote that nobody closed */
    COLUMNS_MOST = 1 << 16,
    WORD_MOST = 4095, /* of a field between blanks */
    LIST_SIZE = 400,  /* of a complaint that names the columns */
};

struct table {
    struct input *in;
    char delimiter;
    char **first; /* the fields of the first row; their number is the number of columns */
    size_t columns, room;
    size_t column; /* the one that is read, from 0; known after the first row */
    bool column_known;
    size_t field;        /* the next one of this row */
    uint64_t quote_line; /* of the last quote that was opened, or near it */
    enum status status;  /* libcsv's callbacks cannot return one */
    bool in_comment;     /* with blanks between columns */
    size_t word_length;
    char word[WORD_MOST + 1];
};

/* ---- the first row: which column, and is it a header? ---- */

static enum status remember(struct table *t, const char *text)
{
    if (t->columns == COLUMNS_MOST)
        return refuse(t->in, "has more than %d fields; expected one row per line; put each row on its own line",
                      COLUMNS_MOST);
    char **first = list_with_room(t->first, t->columns, &t->room, sizeof *first);
    if (!first)
        return out_of_memory("the first row of a CSV file");
    t->first = first;
    first[t->columns] = strdup(text);
    return first[t->columns++] ? OK : out_of_memory("the first row of a CSV file");
}

/* 1 "date", 2 "co2" */
static void list_columns(const struct table *t, char list[LIST_SIZE])
{
    size_t used = 0;
    for (size_t i = 0; i < t->columns; i++) {
        char entry[64];
        const size_t length =
            (size_t)snprintf(entry, sizeof entry, "%s%zu \"%s\"", i ? ", " : "", i + 1, quote(t->first[i]).text);
        if (used + length + sizeof ", ..." > LIST_SIZE) {
            strcpy(list + used, ", ...");
            return;
        }
        memcpy(list + used, entry, length + 1);
        used += length;
    }
}

/* An empty field, or what spreadsheets, R and pandas write for a value that is not there. */
static bool is_missing(const char *text)
{
    static const char *const words[] = {"", "NA", "N/A", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

/* A letter or an underscore; of UTF-8 no sign, such as U+2212 or one of currency: those are in U+0080 to U+00BF, U+2000
 * to U+2FFF and beyond U+F000, where only the micro sign, U+00B5, begins a name. */
static bool begins_a_name(const char *text)
{
    const unsigned char first = (unsigned char)*text;
    return first < 0x80 ? isalpha(first) || first == '_'
                        : (first != 0xC2 || (unsigned char)text[1] == 0xB5) && first != 0xE2 && first != 0xEF;
}

/* O.5 and l,5 are numbers with a letter in place of a digit. */
static bool is_mistyped(const char *text)
{
    return *text && strchr("OolI", *text) && (text[1] == '.' || text[1] == ',') && isdigit((unsigned char)text[2]);
}

static bool is_word(const char *text)
{
    float value;
    text += *text == '"'; /* of delimiter=blank */
    const bool is_no_value = is_missing(text) || strcasecmp(text, "None") == 0 || strcasecmp(text, "nil") == 0 ||
                             (strncasecmp(text, "nan", 3) == 0 && strchr("(0123456789", text[3]));
    return begins_a_name(text) && !is_no_value && !is_mistyped(text) && read_float(text, &value) != NULL;
}

static enum status no_such_column(const struct table *t, const char *found)
{
    char list[LIST_SIZE];
    list_columns(t, list);
    return refuse(t->in,
                  "%s; its first row has %zu: %s; give column= with one of these numbers, or a name of the header%s",
                  found, t->columns, list,
                  t->columns == 1 && strpbrk(*t->first, ";|\t") ? ", or delimiter="
                  : t->columns > 1 && t->delimiter == ',' && !is_word(*t->first)
                      ? ", or delimiter=; and decimal=comma or thousands=comma where a comma is part of a number"
                      : "");
}

static enum status column_by_number(struct table *t, const char *asked)
{
    uint64_t number;
    if (read_size(asked, &number) || number < 1 || number > t->columns) {
        char found[96];
        snprintf(found, sizeof found, "there is no column %s", quote(asked).text);
        return no_such_column(t, found);
    }
    t->column = (size_t)number - 1;
    return OK;
}

static enum status column_by_name(struct table *t, const char *asked)
{
    size_t matches = 0;
    for (size_t i = 0; i < t->columns; i++)
        if (strcmp(t->first[i], asked) == 0) {
            t->column = i;
            matches++;
        }
    if (matches == 1)
        return OK;
    char found[96];
    if (matches == 0)
        snprintf(found, sizeof found, "no column is named \"%s\"", quote(asked).text);
    else
        snprintf(found, sizeof found, "%zu columns are named \"%s\"", matches, quote(asked).text);
    return no_such_column(t, found);
}

static bool first_row_is_header(const struct table *t)
{
    if (*t->first[t->column] != '\0')
        return is_word(t->first[t->column]);
    size_t words = 0;
    for (size_t i = 0; i < t->columns; i++) {
        words += is_word(t->first[i]);
        if (*t->first[i] != '\0' && !is_word(t->first[i]))
            return false;
    }
    return words > 0;
}

/* ---- each row ---- */

/* The first character of the text that may separate columns where none is named, as delimiter= takes it; or NULL. */
static const char *other_delimiter(const struct table *t, const char *text, size_t length)
{
    static const char *const words[] = {";", "|", "tab"};
    for (size_t i = 0; i < sizeof words / sizeof *words && t->delimiter == ',' && !t->in->options->delimiter; i++)
        if (memchr(text, i == 2 ? '\t' : *words[i], length))
            return words[i];
    return NULL;
}

static enum status refuse_field(const struct table *t, const char *text, const char *wrong)
{
    struct advice room;
    const char *delimiter = other_delimiter(t, text, strlen(text)),
               *advice = advice_on_number(t->in->options, text, &room);
    return refuse(t->in, "\"%s\" %s; column %zu must hold numbers such as 316.1; %s%s", quote(text).text, wrong,
                  t->column + 1,
                  delimiter ? "give delimiter="
                  : advice  ? advice
                            : "correct it, or leave the field empty if the value is missing",
                  delimiter ? delimiter : "");
}

static enum status add_field(struct table *t, const char *text)
{
    const char *wrong;
    if (is_missing(text))
        return input_add_missing(t->in);
    TRY(input_add_text(t->in, text, &wrong));
    return wrong ? refuse_field(t, text, wrong) : OK;
}

static enum status end_first_row(struct table *t)
{
    const char *asked = t->in->options->column;
    const bool by_name = asked && asked[strspn(asked, "0123456789")] != '\0';
    t->column_known = true;
    for (size_t i = 0; i < t->columns; i++) { /* 1,5;2,5 without a word of it would be 1 */
        const char *other = other_delimiter(t, t->first[i], strlen(t->first[i]));
        if (other && !is_word(t->first[i]) && t->columns > 1)
            return refuse(
                t->in,
                "\"%s\" may be two columns; expected one number or text between commas; give delimiter=%s, or "
                "delimiter=comma if it is one text",
                quote(t->first[i]).text, other);
    }
    if (!asked && t->columns > 1)
        return no_such_column(t, "which column is not said");
    if (asked)
        TRY((by_name ? column_by_name : column_by_number)(t, asked));
    return by_name || first_row_is_header(t) ? OK : add_field(t, t->first[t->column]);
}

static enum status end_row(struct table *t)
{
    if (!t->column_known)
        return end_first_row(t);
    if (t->field > t->columns)
        return refuse(t->in,
                      "has %zu fields; expected %zu, as in the first row; %sput quotes around a text with commas, or "
                      "give delimiter=",
                      t->field, t->columns,
                      t->delimiter == ',' && t->columns == 1
                          ? "where a comma is part of a number give delimiter=; and decimal=comma or thousands=comma, "
                          : "");
    return t->field <= t->column ? input_add_missing(t->in) : OK;
}

static void on_field(void *text, size_t length, void *table)
{
    struct table *t = table;
    if (t->status != OK)
        return;
    if (memchr(text, '\0', length))
        t->status =
            refuse(t->in, "holds a NUL byte; expected text in ASCII or UTF-8; if it is UTF-16, convert it with iconv");
    else if (!t->column_known)
        t->status = remember(t, trim(text));
    else if (t->field == t->column)
        t->status = add_field(t, trim(text));
    t->field++;
}

static void on_row(int newline, void *table)
{
    (void)newline;
    struct table *t = table;
    if (t->status == OK)
        t->status = end_row(t);
    t->field = 0;
}

/* ---- the file ---- */

static enum status parse_failed(struct table *t, struct csv_parser *parser, const char *text, size_t length)
{
    const char *delimiter = other_delimiter(t, text, length);
    if (!delimiter && !t->in->options->delimiter && (memmem(text, length, " \"", 2) || memmem(text, length, "\" ", 2)))
        delimiter = "blank";
    if (csv_error(parser) != CSV_EPARSE)
        return out_of_memory("a field of a CSV file");
    return refuse(t->in, "a quote (\") stands in the middle of a field; expected quotes around a whole field; %s%s",
                  delimiter ? "give delimiter=" : "double it inside quotes (\"\"), or remove it",
                  delimiter ? delimiter : "");
}

/* One line, or the part of it that is in the chunk: libcsv does not count lines, so it is fed one at a time. */
static enum status parse_line(struct table *t, struct csv_parser *parser, const char *text, size_t length)
{
    if (!parser->quoted)
        t->quote_line = t->in->line;
    const size_t parsed = csv_parse(parser, text, length, on_field, on_row, t);
    TRY(t->status);
    if (parsed != length)
        return parse_failed(t, parser, text, length);
    if (parser->entry_pos > FIELD_MOST) {
        t->in->line = t->quote_line;
        return refuse(t->in, "a field of more than %d bytes starts here; expected a number; close its quote (\")",
                      FIELD_MOST);
    }
    t->in->line += text[length - 1] == '\n';
    return OK;
}

/* Fields with blanks between them: from any part of a line. */
static enum status split_line(struct table *t, const char *text, size_t length)
{
    for (size_t i = 0; i < length && t->status == OK; i++) {
        const char c = text[i];
        t->in_comment = t->in_comment ? c != '\n' : c == '#';
        const bool is_between = t->in_comment || c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!is_between && t->word_length == WORD_MOST)
            return refuse(t->in, "has a field of more than %d bytes; expected a number; put blanks between the columns",
                          WORD_MOST);
        if (!is_between)
            t->word[t->word_length++] = c;
        if (is_between && t->word_length > 0) {
            t->word[t->word_length] = '\0';
            on_field(t->word, t->word_length, t);
            t->word_length = 0;
        }
        if (c == '\n' && t->field > 0)
            on_row(c, t);
    }
    return t->status;
}

static enum status parse_chunk(struct table *t, struct csv_parser *parser, const char *chunk, size_t length)
{
    for (const char *at = chunk, *end = chunk + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *after = newline ? newline + 1 : end;
        if (t->delimiter == FILE_BLANK) {
            TRY(split_line(t, at, (size_t)(after - at)));
            t->in->line += newline != NULL;
        } else {
            TRY(parse_line(t, parser, at, (size_t)(after - at)));
        }
        at = after;
    }
    return OK;
}

static enum status parse_end(struct table *t, struct csv_parser *parser)
{
    if (t->delimiter == FILE_BLANK)
        return split_line(t, "\n", 1);
    if (csv_fini(parser, on_field, on_row, t) != 0) {
        t->in->line = t->quote_line;
        return refuse(
            t->in, "a quote (\") that opens here is never closed; expected a closing one; add it, or remove this one");
    }
    return t->status;
}

enum status read_columns(struct input *in, char delimiter)
{
    struct table t = {.in = in, .delimiter = in->options->delimiter ? in->options->delimiter : delimiter};
    struct csv_parser parser;
    char chunk[CHUNK];
    size_t length;
    enum status status;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0)
        return out_of_memory("a CSV parser");
    csv_set_blk_size(&parser, 4096); /* a field grows by this much at a time; libcsv's 128 makes long ones quadratic */
    csv_set_delim(&parser, (unsigned char)t.delimiter);
    skip_byte_order_mark(in->file);
    in->line = 1;
    while ((length = fread(chunk, 1, sizeof chunk, in->file)) > 0)
        TRY_DONE(parse_chunk(&t, &parser, chunk, length));
    if (ferror(in->file))
        TRY_DONE(input_failed(in));
    TRY_DONE(parse_end(&t, &parser));
    in->line = 0;
done:
    for (size_t i = 0; i < t.columns; i++)
        free(t.first[i]);
    free(t.first);
    csv_free(&parser);
    return status;
}

enum status read_csv(struct input *in)
{
    return read_columns(in, ',');
}

enum status read_tsv(struct input *in)
{
    return read_columns(in, '\t');
}

/* RFC 4180 has no comments, and the header is the column's name: how the file was made is not said here, nor in which
 * format.  So numbers of 16 and 8 bits have the decimals of binary64, and are the same numbers to a reader who takes
 * them for binary32: the number of binary16 nearest to 0.1 is 0.0999755859375, and 0.1 would be another in binary32. */
void write_csv(FILE *file, const struct dataset *data, const struct label *label)
{
    (void)label;
    fputs("x\n", file);
    for (uint64_t i = 0; i < data->n; i++) {
        char text[NUMBER_TEXT];
        write_in_format(data->format, held_number(data->format, data->x, i), text);
        fprintf(file, "%s\n", text);
    }
}
