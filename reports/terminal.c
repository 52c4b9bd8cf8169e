#include "terminal.h"

#include <sys/ioctl.h>
#include <sys/param.h>
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

/* A grid on a terminal.  Its widths are asked for once: a table may have thousands of rows. */
struct layout {
    const struct terminal *terminal;
    const struct grid *grid;
    size_t *widths; /* of the columns; 0: left out */
    size_t labels;  /* of all label columns together */
};

/* A footer's label is left out, since it has all label columns to itself. */
static size_t column_width(const struct grid *grid, size_t column)
{
    size_t width = 0;
    for (size_t r = 0; r < grid_seen(grid); r++)
        width = MAX(width, grid_width(grid, r, column));
    for (size_t r = grid->footer; r < grid->rows && column >= grid->labels; r++)
        width = MAX(width, grid_width(grid, r, column));
    return width;
}

static size_t labels_width(const struct grid *grid, const size_t *widths)
{
    size_t width = 0, footers = 0;
    for (size_t c = 0; c < grid->labels; c++)
        width += widths[c] + (c > 0 ? GAP : 0);
    for (size_t r = grid->footer; r < grid->rows; r++)
        footers = MAX(footers, text_width(grid_text(grid, r, 0)));
    return MAX(width, footers);
}

/* Pads only where something follows: no line ends with blanks. */
static void print_cell(const struct layout *layout, size_t row, size_t column, size_t width, bool last)
{
    const struct terminal *terminal = layout->terminal;
    const struct grid *grid = layout->grid;
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

static void print_labels(const struct layout *layout, size_t row)
{
    const struct grid *grid = layout->grid;
    size_t first = layout->labels;
    if (row >= grid->footer) {
        print_cell(layout, row, 0, layout->labels, false);
        return;
    }
    for (size_t c = 1; c < grid->labels; c++)
        first -= layout->widths[c] + GAP;
    for (size_t c = 0; c < grid->labels; c++) { /* the first column takes what the footer's labels need */
        fprintf(layout->terminal->file, "%*s", c > 0 ? GAP : 0, "");
        print_cell(layout, row, c, c == 0 ? first : layout->widths[c], false);
    }
}

static void print_row(const struct layout *layout, size_t row, size_t first, size_t end)
{
    FILE *file = layout->terminal->file;
    fprintf(file, "%*s", INDENT, "");
    print_labels(layout, row);
    for (size_t c = first; c < end; c++) {
        if (layout->widths[c] == 0)
            continue;
        fprintf(file, "%*s", GAP, "");
        print_cell(layout, row, c, layout->widths[c], c + 1 == end);
    }
    fputc('\n', file);
}

/* The end of the columns from `first` on that fit beside the labels; one always does. */
static size_t columns_that_fit(const struct layout *layout, size_t first)
{
    size_t width = INDENT + layout->labels, end = first;
    for (bool none = true; end < layout->grid->columns; end++) {
        if (layout->widths[end] == 0)
            continue;
        width += GAP + layout->widths[end];
        if (!none && width > layout->terminal->width)
            break;
        none = false;
    }
    return end;
}

static void leave_out_spare_columns(struct layout *layout)
{
    const struct grid *grid = layout->grid;
    for (int rank = 1; rank <= SPARE_MOST && columns_that_fit(layout, grid->labels) < grid->columns; rank++)
        for (size_t c = grid->labels; c < grid->columns; c++)
            if (grid_cell(grid, 0, c)->spare == rank)
                layout->widths[c] = 0;
}

/* A blank line before each part, of those that a wide one is broken into; the first may follow on its heading. */
static void print_grid(const struct terminal *terminal, const struct grid *grid, bool follows)
{
    struct layout layout = {terminal, grid, memory_cleared(grid->columns, sizeof *layout.widths), 0};
    for (size_t c = 0; c < grid->columns; c++)
        layout.widths[c] = column_width(grid, c);
    layout.labels = labels_width(grid, layout.widths);
    leave_out_spare_columns(&layout);
    for (size_t first = grid->labels, end; first < grid->columns; first = end) {
        end = columns_that_fit(&layout, first);
        fputs(follows && first == grid->labels ? "" : "\n", terminal->file);
        for (size_t r = 0; r < grid->rows; r++)
            if (r < grid_seen(grid) || r >= grid->footer)
                print_row(&layout, r, first, end);
    }
    if (grid_seen(grid) < grid->footer)
        fprintf(terminal->file, "%*s(%zu more; --top 0 prints all)\n", INDENT, "", grid->footer - grid_seen(grid));
    free(layout.widths);
}

void terminal_grid(const struct terminal *terminal, const struct grid *grid)
{
    print_grid(terminal, grid, false);
}

void terminal_grid_below(const struct terminal *terminal, const struct grid *grid)
{
    print_grid(terminal, grid, true);
}

void terminal_grid_taken(const struct terminal *terminal, struct grid *grid)
{
    terminal_grid(terminal, grid);
    grid_free(grid);
}

struct terminal terminal_of(FILE *file, bool colour)
{
    return (struct terminal){file, colour, width_of(file)};
}

void terminal_word(const struct terminal *terminal, enum tone tone, const char *word)
{
    print(terminal, paint[tone], word);
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
        if (end == text)
            break;
        char *line = text_made("%.*s", (int)(end + 1 - text), text);
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

void terminal_sentences(const struct terminal *terminal, char *lines)
{
    for (char *rest = lines, *line; rest && (line = strsep(&rest, "\n"));) {
        OWNED char *clean = clean_text(line);
        if (*clean)
            terminal_sentence(terminal, clean);
    }
}

void terminal_table(const struct terminal *terminal, const char *legend, struct grid *grid, size_t top)
{
    grid->top = top;
    fputc('\n', terminal->file);
    terminal_faint(terminal, legend);
    terminal_grid_taken(terminal, grid);
}
