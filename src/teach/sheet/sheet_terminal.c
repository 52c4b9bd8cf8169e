#include "sheet.h"

#include <math.h>

/* Longer lines are hard to read, on a terminal of 200 columns too. */
enum { PLAIN_WIDTH = 100, INDENT = 2 };

struct terminal sheet_plain(FILE *file)
{
    return (struct terminal){file, false, PLAIN_WIDTH};
}

struct writing {
    const struct sheet *sheet;
    struct terminal terminal;
    bool answers;
    int exercises, exercise; /* how many there are, and the last one written */
};

/* ---- sentences ---- */

/* Columns of the first `length` bytes: a byte that goes on with a character takes none. */
static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

/* A word, or code between backquotes, which may hold blanks: it is broken only where it is longer than a line. */
static size_t word_length(const char *text, size_t width)
{
    size_t length = strcspn(text, " \n");
    const char *open = memchr(text, '`', length), *end = open ? strchr(open + 1, '`') : NULL;
    if (end && (size_t)(end - text) >= length && columns_of(text, (size_t)(end - text)) < width)
        length = (size_t)(end - text) + strcspn(end, " \n");
    return length;
}

/* Formulas are text here: the dollars around them go.  Allocated. */
static char *without_dollars(const char *text)
{
    char *plain = memory_copy(text), *to = plain;
    for (bool code = false; *text; text++) {
        code ^= *text == '`';
        if (code || *text != '$')
            *to++ = *text;
    }
    *to = '\0';
    return plain;
}

/* Broken between words; every line begins with `lead`. */
static void wrap(const struct writing *writing, const char *lead, const char *marked)
{
    OWNED char *plain = without_dollars(marked);
    const char *text = plain;
    FILE *file = writing->terminal.file;
    const size_t width = writing->terminal.width;
    size_t column = 0;
    while (*(text += strspn(text, " "))) {
        const size_t length = word_length(text, width - strlen(lead)), columns = columns_of(text, length);
        if (column > 0 && column + 1 + columns > width) {
            fputc('\n', file);
            column = 0;
        }
        column += (size_t)fprintf(file, "%s", column == 0 ? lead : " ");
        fprintf(file, "%.*s", (int)length, text);
        column += columns;
        text += length;
        if (*text == '\n') {
            fputc('\n', file);
            column = 0;
            text++;
        }
    }
    if (column > 0)
        fputc('\n', file);
}

/* An empty line, the head, the sentences. */
static void headed(struct writing *writing, const char *head, const char *text)
{
    fputc('\n', writing->terminal.file);
    terminal_bold(&writing->terminal, head);
    wrap(writing, "", text);
}

/* ---- parts ---- */

static void write_task(struct writing *writing, const struct sheet_part *part)
{
    const bool is_question = part->kind == SHEET_QUESTION;
    headed(writing, is_question ? "Question" : "Your prediction: write it down before you read on", part->text);
}

static void write_heading(struct writing *writing, const struct sheet_part *part)
{
    fputc('\n', writing->terminal.file);
    terminal_bold(&writing->terminal, part->text);
}

static void write_text(struct writing *writing, const struct sheet_part *part)
{
    fputc('\n', writing->terminal.file);
    wrap(writing, "", part->text);
}

static void write_grid(struct writing *writing, const struct sheet_part *part)
{
    terminal_grid(&writing->terminal, &part->grid);
}

static void write_lines(struct writing *writing, const struct sheet_part *part)
{
    fputc('\n', writing->terminal.file);
    for (const char *line = part->text; line;) {
        const size_t length = strcspn(line, "\n");
        fprintf(writing->terminal.file, "%*s%.*s\n", length ? INDENT : 0, "", (int)length, line);
        line = line[length] ? line + length + 1 : NULL;
    }
}

/* The numbers of a picture that is on the page; more rows than these nobody reads. */
enum { ROWS_READ = 48 };

static void write_chart(struct writing *writing, const struct sheet_part *part)
{
    const struct chart *chart = &part->chart;
    FREED_BY(grid_free) struct grid numbers = chart_grid(chart);
    fputc('\n', writing->terminal.file);
    if (chart->missing) {
        wrap(writing, "", chart->missing);
        return;
    }
    terminal_bold(&writing->terminal, chart->title ? chart->title : "");
    if (numbers.rows <= ROWS_READ)
        terminal_grid(&writing->terminal, &numbers);
    else
        fprintf(writing->terminal.file, "\n%*sThe picture: `ulpscope lesson %s --html page.html`\n", INDENT, "",
                writing->sheet->id);
    if (chart->caption) {
        fputc('\n', writing->terminal.file);
        wrap(writing, "", chart->caption);
    }
}

static void write_picture(struct writing *writing, const struct sheet_part *part)
{
    if (part->text)
        write_lines(writing, part);
    fputc('\n', writing->terminal.file);
    wrap(writing, "", part->source ? part->source : "");
}

static void write_theorem(struct writing *writing, const struct sheet_part *part)
{
    fputc('\n', writing->terminal.file);
    terminal_bold(&writing->terminal, "Theorem");
    wrap(writing, "  | ", part->text);
    wrap(writing, "  ", part->source ? part->source : "");
}

static void write_exercise(struct writing *writing, const struct sheet_part *part)
{
    char head[32] = "Exercise";
    writing->exercise++;
    if (writing->exercises > 1)
        snprintf(head, sizeof head, "Exercise %d", writing->exercise);
    headed(writing, head, part->text);
}

static void write_answer(struct writing *writing, const struct sheet_part *part)
{
    if (writing->answers)
        headed(writing, "Answer", part->text);
}

static void (*const writers[])(struct writing *writing, const struct sheet_part *part) = {
    [SHEET_QUESTION] = write_task,     [SHEET_PREDICTION] = write_task, [SHEET_HEADING] = write_heading,
    [SHEET_TEXT] = write_text,         [SHEET_GRID] = write_grid,       [SHEET_LINES] = write_lines,
    [SHEET_CHART] = write_chart,       [SHEET_PICTURE] = write_picture, [SHEET_THEOREM] = write_theorem,
    [SHEET_EXERCISE] = write_exercise, [SHEET_ANSWER] = write_answer,
};

/* ---- the sheet ---- */

/* "Lesson 2: When does adding 1 change nothing?", underlined. */
static void write_title(const struct writing *writing, size_t number)
{
    FILE *file = writing->terminal.file;
    OWNED char *title = text_made("Lesson %zu, %s: %s", number, writing->sheet->id, writing->sheet->title);
    terminal_bold(&writing->terminal, title);
    for (size_t i = text_width(title); i > 0; i--)
        fputc('=', file);
    fputc('\n', file);
}

static void say_where_answers_are(const struct writing *writing)
{
    if (writing->answers || sheet_count(writing->sheet, SHEET_ANSWER) == 0)
        return;
    fprintf(writing->terminal.file, "\nAnswers: `ulpscope lesson %s%s --answers`\n", writing->sheet->id,
            writing->sheet->options);
}

void sheet_write_terminal(const struct sheet *sheet, struct sheet_place place, const struct terminal *terminal)
{
    struct writing writing = {.sheet = sheet,
                              .terminal = *terminal,
                              .answers = place.answers,
                              .exercises = sheet_count(sheet, SHEET_EXERCISE)};
    if (writing.terminal.width > PLAIN_WIDTH)
        writing.terminal.width = PLAIN_WIDTH;
    write_title(&writing, place.number);
    for (size_t i = 0; i < sheet->count; i++)
        writers[sheet->parts[i]->kind](&writing, sheet->parts[i]);
    say_where_answers_are(&writing);
}
