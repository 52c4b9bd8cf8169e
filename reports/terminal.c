#include "terminal.h"

#include "clean_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 100, LEAST_WIDTH = 72, INDENT = 2, GAP = 2 };

static const char *const paint[TONES] = {
    [TONE_PLAIN] = "",
    [TONE_GOOD] = "\033[32m",
    [TONE_BAD] = "\033[1;31m",
    [TONE_EXACT] = "\033[32m",
    [TONE_ROUNDED] = "\033[32m",
    [TONE_ONE_ULP] = "\033[36m",
    [TONE_FOUR_ULP] = "\033[34m",
    [TONE_TARGET] = "\033[35m",
    [TONE_DIGITS] = "\033[33m",
    [TONE_NO_DIGIT] = "\033[1;31m",
};
static const char BOLD[] = "\033[1m", FAINT[] = "\033[2m", NORMAL[] = "\033[0m";

/* A file has the usual width, and so has a terminal that does not know its own. */
static size_t width_of(FILE *file)
{
    struct winsize size;
    if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

static void print(const struct terminal *terminal, const char *colour, const char *text)
{
    if (terminal->colour && *colour)
        fprintf(terminal->file, "%s%s%s", colour, text, NORMAL);
    else
        fputs(text, terminal->file);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The width of a column; a footer's label is left out, since it has all label columns to itself. */
static size_t column_width(const struct grid *grid, size_t column)
{
    const size_t rows = column < grid->labels ? grid->footer : grid->rows;
    size_t width = 0;
    for (size_t r = 0; r < rows; r++)
        width = larger(width, grid_width(grid, r, column));
    return width;
}

static size_t labels_width(const struct grid *grid)
{
    size_t width = 0, footers = 0;
    for (size_t c = 0; c < grid->labels; c++)
        width += column_width(grid, c) + (c > 0 ? GAP : 0);
    for (size_t r = grid->footer; r < grid->rows; r++)
        footers = larger(footers, text_width(grid_text(grid, r, 0)));
    return larger(width, footers);
}

/* Pads only where something follows: no line ends with blanks. */
static void print_cell(const struct terminal *terminal, const struct grid *grid, size_t row, size_t column,
                       size_t width, bool last)
{
    const struct cell *cell = grid_cell(grid, row, column);
    const bool left = grid_cell(grid, 0, column)->left || (row >= grid->footer && column == 0);
    const int padding = (int)(width - grid_width(grid, row, column));
    fprintf(terminal->file, "%*s", left ? 0 : padding, "");
    print(terminal, paint[cell->tone], grid_text(grid, row, column));
    if (cell->word) {
        fputs(", ", terminal->file);
        print(terminal, paint[cell->tone], cell->word);
    }
    fprintf(terminal->file, "%*s", left && !last ? padding : 0, "");
}

static void print_labels(const struct terminal *terminal, const struct grid *grid, size_t row)
{
    size_t width = labels_width(grid);
    if (row >= grid->footer) {
        print_cell(terminal, grid, row, 0, width, false);
        return;
    }
    for (size_t c = grid->labels; c > 1; c--)
        width -= column_width(grid, c - 1) + GAP;
    for (size_t c = 0; c < grid->labels; c++) { /* the first column takes what the footer's labels need */
        fprintf(terminal->file, "%*s", c > 0 ? GAP : 0, "");
        print_cell(terminal, grid, row, c, c == 0 ? width : column_width(grid, c), false);
    }
}

static void print_row(const struct terminal *terminal, const struct grid *grid, size_t row, size_t first, size_t end)
{
    fprintf(terminal->file, "%*s", INDENT, "");
    print_labels(terminal, grid, row);
    for (size_t c = first; c < end; c++) {
        fprintf(terminal->file, "%*s", GAP, "");
        print_cell(terminal, grid, row, c, column_width(grid, c), c + 1 == end);
    }
    fputc('\n', terminal->file);
}

/* The end of the columns from `first` on that fit beside the labels; one always does. */
static size_t columns_that_fit(const struct terminal *terminal, const struct grid *grid, size_t first)
{
    size_t width = INDENT + labels_width(grid), end = first;
    while (end < grid->columns && (end == first || width + GAP + column_width(grid, end) <= terminal->width))
        width += GAP + column_width(grid, end++);
    return end;
}

void terminal_grid(const struct terminal *terminal, const struct grid *grid)
{
    for (size_t first = grid->labels, end; first < grid->columns; first = end) {
        end = columns_that_fit(terminal, grid, first);
        fputc('\n', terminal->file);
        for (size_t r = 0; r < grid->rows; r++)
            print_row(terminal, grid, r, first, end);
    }
}

struct terminal terminal_of(FILE *file, bool colour)
{
    return (struct terminal){file, colour, width_of(file)};
}

void terminal_bold(const struct terminal *terminal, const char *text)
{
    print(terminal, BOLD, text);
    fputc('\n', terminal->file);
}

void terminal_faint(const struct terminal *terminal, const char *text)
{
    while (text_width(text) > terminal->width) {
        const char *end = text + terminal->width;
        while (end > text && strncmp(end, "; ", 2) != 0)
            end--;
        char *line = end > text ? strndup(text, (size_t)(end + 1 - text)) : NULL;
        if (!line)
            break;
        print(terminal, FAINT, line);
        fputc('\n', terminal->file);
        free(line);
        text = end + 2;
    }
    print(terminal, FAINT, text);
    fputc('\n', terminal->file);
}

void terminal_sentence(const struct terminal *terminal, const char *text)
{
    size_t column = 0;
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > terminal->width) {
            fprintf(terminal->file, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > 0) {
            fputc(' ', terminal->file);
            column++;
        }
        fprintf(terminal->file, "%.*s", (int)length, text);
        column += length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', terminal->file);
}
