/* table: what `ulpscope run` prints.  As wide as the terminal, or 100 columns: wider tables go on below. */
#include "../../src/output.h"
#include "../clean_text.h"
#include "../comparison_table.h"
#include "../overview.h"
#include "../report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 100, LEAST_WIDTH = 72, INDENT = 2, GAP = 2 };

static const char *const paint[] = {[TONE_PLAIN] = "", [TONE_GOOD] = "\033[32m", [TONE_BAD] = "\033[1;31m"};
static const char BOLD[] = "\033[1m", FAINT[] = "\033[2m", NORMAL[] = "\033[0m";

struct printer {
    FILE *file;
    bool colour;
    size_t width; /* columns of a line */
};

/* A file has the usual width, and so has a terminal that does not know its own. */
static size_t width_of(FILE *file)
{
    struct winsize size;
    if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

static void print(const struct printer *printer, const char *colour, const char *text)
{
    if (printer->colour && *colour)
        fprintf(printer->file, "%s%s%s", colour, text, NORMAL);
    else
        fputs(text, printer->file);
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
        width = larger(width, text_width(grid_text(grid, r, column)));
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
static void print_cell(const struct printer *printer, const struct cell *cell, size_t width, bool left, bool last)
{
    const char *text = cell->text ? cell->text : "";
    const int padding = (int)(width - text_width(text));
    fprintf(printer->file, "%*s", left ? 0 : padding, "");
    print(printer, paint[cell->tone], text);
    fprintf(printer->file, "%*s", left && !last ? padding : 0, "");
}

static void print_labels(const struct printer *printer, const struct grid *grid, size_t row)
{
    size_t width = labels_width(grid);
    if (row >= grid->footer) {
        print_cell(printer, grid_cell(grid, row, 0), width, true, false);
        return;
    }
    for (size_t c = grid->labels; c > 1; c--)
        width -= column_width(grid, c - 1) + GAP;
    for (size_t c = 0; c < grid->labels; c++) { /* the first column takes what the footer's labels need */
        fprintf(printer->file, "%*s", c > 0 ? GAP : 0, "");
        print_cell(printer, grid_cell(grid, row, c), c == 0 ? width : column_width(grid, c),
                   grid_cell(grid, 0, c)->left, false);
    }
}

static void print_row(const struct printer *printer, const struct grid *grid, size_t row, size_t first, size_t end)
{
    fprintf(printer->file, "%*s", INDENT, "");
    print_labels(printer, grid, row);
    for (size_t c = first; c < end; c++) {
        fprintf(printer->file, "%*s", GAP, "");
        print_cell(printer, grid_cell(grid, row, c), column_width(grid, c), grid_cell(grid, 0, c)->left, c + 1 == end);
    }
    fputc('\n', printer->file);
}

/* The end of the columns from `first` on that fit beside the labels; one always does. */
static size_t columns_that_fit(const struct printer *printer, const struct grid *grid, size_t first)
{
    size_t width = INDENT + labels_width(grid), end = first;
    while (end < grid->columns && (end == first || width + GAP + column_width(grid, end) <= printer->width))
        width += GAP + column_width(grid, end++);
    return end;
}

static void print_grid(const struct printer *printer, const struct grid *grid)
{
    for (size_t first = grid->labels, end; first < grid->columns; first = end) {
        end = columns_that_fit(printer, grid, first);
        fputc('\n', printer->file);
        for (size_t r = 0; r < grid->rows; r++)
            print_row(printer, grid, r, first, end);
    }
}

/* In as many lines as it needs, broken after a semicolon. */
static void print_faint(const struct printer *printer, const char *text)
{
    while (text_width(text) > printer->width) {
        const char *end = text + printer->width;
        while (end > text && strncmp(end, "; ", 2) != 0)
            end--;
        char *line = end > text ? strndup(text, (size_t)(end + 1 - text)) : NULL;
        if (!line)
            break;
        print(printer, FAINT, line);
        fputc('\n', printer->file);
        free(line);
        text = end + 2;
    }
    print(printer, FAINT, text);
    fputc('\n', printer->file);
}

static void print_overviews(const struct printer *printer, const struct results *results,
                            const struct overviews *overviews)
{
    const char *legend[LEGEND_MOST];
    for (size_t i = 0; i < overviews->count; i++) {
        const struct overview *overview = &overviews->list[i];
        char *heading = clean_text(results->study.entries[overview->group.entry].text);
        print(printer, BOLD, heading ? heading : "");
        fputc('\n', printer->file);
        free(heading);
        print_faint(printer, overview->context);
        print_grid(printer, &overview->grid);
        fputc('\n', printer->file);
    }
    const size_t lines = overviews_legend(overviews, legend);
    for (size_t i = 0; i < lines; i++)
        print_faint(printer, legend[i]);
    if (overviews->count == 0)
        fputs("nothing was measured\n", printer->file);
}

static enum status table_write(const struct report *report, const char *path)
{
    if (report->run_count > 1)
        return comparison_table(report, path);
    const struct results *results = &report->runs[0];
    struct overviews overviews;
    TRY(overviews_make(results, &overviews));
    struct output out;
    enum status status = output_open(&out, path);
    if (status == OK) {
        const struct printer printer = {out.file, report_colour && strcmp(path, "-") == 0, width_of(out.file)};
        print_overviews(&printer, results, &overviews);
        status = output_close(&out);
    }
    overviews_free(&overviews);
    return status;
}

const struct report_format report_table = {
    .id = "table",
    .option = NULL,
    .file_name = NULL,
    .summary = "the table on the terminal",
    .write = table_write,
};
