/* table: what `ulpscope run` prints.  As wide as the terminal, or 100 columns: wider tables go on below.
 *
 * The verdict always; before it the table of each kind of data, as long as all of them can be read on a terminal.
 */
#include "../../src/output.h"
#include "../clean_text.h"
#include "../comparison/comparison_table.h"
#include "../overview.h"
#include "../report.h"
#include "../speed_text.h"
#include "../verdict/verdict_table.h"
#include "../verdict/verdict_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 100, LEAST_WIDTH = 72, INDENT = 2, GAP = 2, LINES_READ = 150 };

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
static void print_cell(const struct printer *printer, const struct grid *grid, size_t row, size_t column, size_t width,
                       bool last)
{
    const struct cell *cell = grid_cell(grid, row, column);
    const bool left = grid_cell(grid, 0, column)->left || (row >= grid->footer && column == 0);
    const int padding = (int)(width - grid_width(grid, row, column));
    fprintf(printer->file, "%*s", left ? 0 : padding, "");
    print(printer, paint[cell->tone], grid_text(grid, row, column));
    if (cell->word) {
        fputs(", ", printer->file);
        print(printer, paint[cell->tone], cell->word);
    }
    fprintf(printer->file, "%*s", left && !last ? padding : 0, "");
}

static void print_labels(const struct printer *printer, const struct grid *grid, size_t row)
{
    size_t width = labels_width(grid);
    if (row >= grid->footer) {
        print_cell(printer, grid, row, 0, width, false);
        return;
    }
    for (size_t c = grid->labels; c > 1; c--)
        width -= column_width(grid, c - 1) + GAP;
    for (size_t c = 0; c < grid->labels; c++) { /* the first column takes what the footer's labels need */
        fprintf(printer->file, "%*s", c > 0 ? GAP : 0, "");
        print_cell(printer, grid, row, c, c == 0 ? width : column_width(grid, c), false);
    }
}

static void print_row(const struct printer *printer, const struct grid *grid, size_t row, size_t first, size_t end)
{
    fprintf(printer->file, "%*s", INDENT, "");
    print_labels(printer, grid, row);
    for (size_t c = first; c < end; c++) {
        fprintf(printer->file, "%*s", GAP, "");
        print_cell(printer, grid, row, c, column_width(grid, c), c + 1 == end);
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
}

/* ---- the verdict ---- */

/* Broken between words, the lines after the first indented. */
static void print_sentence(const struct printer *printer, const char *text)
{
    size_t column = 0;
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > printer->width) {
            fprintf(printer->file, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > 0) {
            fputc(' ', printer->file);
            column++;
        }
        fprintf(printer->file, "%.*s", (int)length, text);
        column += length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', printer->file);
}

static void print_sentences(const struct printer *printer, char *text)
{
    for (char *rest = text, *line; rest && (line = strsep(&rest, "\n"));) {
        char *clean = clean_text(line);
        if (clean && *clean)
            print_sentence(printer, clean);
        free(clean);
    }
}

static enum status print_verdict(const struct printer *printer, const struct results *results,
                                 const struct verdict *verdict)
{
    char *sentences = verdict_sentences(verdict);
    struct grid which = which_method_grid(results, verdict);
    const enum status status = !sentences || which.failed ? out_of_memory("a report") : OK;
    if (status == OK && results->cases < results->study.cases)
        fprintf(printer->file, "Incomplete: %" PRIu64 " of %" PRIu64 " data sets were summed.\n", results->cases,
                results->study.cases);
    if (status == OK)
        print_sentences(printer, sentences);
    if (status == OK && verdict->row_count > 0) {
        fputc('\n', printer->file);
        print_faint(printer, "the cheapest method whose worst sum stays within the limit; speed: " SPEED_LEGEND);
        print_grid(printer, &which);
    }
    grid_free(&which);
    free(sentences);
    return status;
}

/* ---- the whole, in memory first: how many lines there are decides what is printed ---- */

struct draft {
    char *text;
    size_t length, lines;
};

static enum status draft_end(struct draft *draft, FILE *file)
{
    if (fclose(file) != 0 || !draft->text)
        return out_of_memory("a report");
    for (const char *c = draft->text; *c; c++)
        draft->lines += *c == '\n';
    return OK;
}

static enum status draft_overviews(struct printer printer, const struct results *results, struct draft *draft)
{
    struct overviews overviews;
    *draft = (struct draft){0};
    TRY(overviews_make(results, &overviews));
    printer.file = open_memstream(&draft->text, &draft->length);
    if (printer.file)
        print_overviews(&printer, results, &overviews);
    overviews_free(&overviews);
    return printer.file ? draft_end(draft, printer.file) : out_of_memory("a report");
}

static enum status draft_verdict_grid(struct printer printer, const struct results *results,
                                      const struct verdict *verdict, struct draft *draft)
{
    struct grid grid = verdict_grid(results, verdict);
    enum status status = grid.failed ? out_of_memory("a report") : OK;
    *draft = (struct draft){0};
    printer.file = status == OK ? open_memstream(&draft->text, &draft->length) : NULL;
    if (printer.file) {
        print_faint(&printer, "largest error in ulp, in brackets the median, and what the largest means");
        print_grid(&printer, &grid);
        status = draft_end(draft, printer.file);
    }
    grid_free(&grid);
    return status;
}

/* Where the rest is. */
static void print_left_out(const struct printer *printer, size_t lines)
{
    fprintf(printer->file, "(%zu lines of tables are not shown; -o DIR or --html FILE writes them as a page)\n\n",
            lines);
}

static enum status print_tables(const struct printer *printer, const struct results *results,
                                const struct verdict *verdict)
{
    struct draft overviews = {0}, grid = {0};
    enum status status;
    TRY_DONE(draft_overviews(*printer, results, &overviews));
    if (overviews.lines <= LINES_READ) {
        fputs(overviews.text, printer->file);
        fputs(overviews.lines > 0 ? "\n" : "", printer->file);
        goto done;
    }
    TRY_DONE(draft_verdict_grid(*printer, results, verdict, &grid));
    if (grid.lines <= LINES_READ)
        fprintf(printer->file, "%s\n", grid.text);
    print_left_out(printer, overviews.lines + (grid.lines <= LINES_READ ? 0 : grid.lines));
done:
    free(overviews.text);
    free(grid.text);
    return status;
}

static enum status table_write(const struct report *report, const char *path)
{
    if (report->run_count > 1)
        return comparison_table(report, path);
    const struct results *results = &report->runs[0];
    struct verdict verdict;
    struct output out;
    enum status status;
    TRY_DONE(verdict_make(results, &report->target, &verdict));
    TRY_DONE(output_open(&out, path));
    const struct printer printer = {out.file, report_colour && strcmp(path, "-") == 0, width_of(out.file)};
    status = print_tables(&printer, results, &verdict);
    if (status == OK)
        status = print_verdict(&printer, results, &verdict);
    if (status == OK)
        status = output_close(&out);
    else
        output_discard(&out);
done:
    verdict_free(&verdict);
    return status;
}

const struct report_format report_table = {
    .id = "table",
    .option = NULL,
    .file_name = NULL,
    .summary = "the table on the terminal",
    .write = table_write,
};
