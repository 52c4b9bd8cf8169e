/* markdown: the tables of the terminal for a page on GitHub.  A pull-request bot finds its comment by the first line.
 */
#include "../../src/output.h"
#include "../clean_text.h"
#include "../overview.h"
#include "../report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An underscore between letters is no emphasis on GitHub, and plain/tree_two_pass stays readable as text. */
static bool is_markup(const char *text, const char *start)
{
    if (*text == '_')
        return text == start || !isalnum((unsigned char)text[-1]) || !isalnum((unsigned char)text[1]);
    return strchr("\\`*[]#|~@", *text) != NULL;
}

/* What Markdown or HTML would read as markup is escaped. */
static void write_text(FILE *file, const char *text)
{
    for (const char *start = text; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else if (is_markup(text, start))
            fprintf(file, "\\%c", *text);
        else
            fputc(*text, file);
    }
}

static void write_clean(FILE *file, const char *text)
{
    char *clean = clean_text(text);
    write_text(file, clean ? clean : "");
    free(clean);
}

static void write_cell(FILE *file, const struct grid *grid, size_t row, size_t column)
{
    static const char *const mark[] = {[TONE_PLAIN] = "", [TONE_GOOD] = "", [TONE_BAD] = "**"};
    const char *bold = row >= grid->footer && column == 0 ? "" : mark[grid_cell(grid, row, column)->tone];
    fprintf(file, " %s", bold);
    write_text(file, grid_text(grid, row, column));
    fprintf(file, "%s |", bold);
}

static void write_grid(FILE *file, const struct grid *grid)
{
    for (size_t r = 0; r < grid->rows; r++) {
        fputs("|", file);
        for (size_t c = 0; c < grid->columns; c++)
            write_cell(file, grid, r, c);
        fputc('\n', file);
        for (size_t c = 0; r == 0 && c < grid->columns; c++)
            fputs(grid_cell(grid, 0, c)->left ? "|:--" : "|--:", file);
        fputs(r == 0 ? "|\n" : "", file);
    }
}

static void write_all(FILE *file, const struct results *results, const struct overviews *overviews)
{
    const char *legend[LEGEND_MOST];
    fputs("<!-- ulpscope -->\n## ", file);
    write_clean(file, results->study->title ? results->study->title : "ulpscope");
    fputc('\n', file);
    for (size_t i = 0; i < overviews->count; i++) {
        const struct overview *overview = &overviews->list[i];
        fputs("\n### ", file);
        write_clean(file, results->study->entries[overview->group.entry].text);
        fputs("\n\n", file);
        write_clean(file, overview->context);
        fputs("\n\n", file);
        write_grid(file, &overview->grid);
    }
    const size_t lines = overviews_legend(overviews, legend);
    fputs(lines > 0 ? "\n" : "\nNothing was measured.\n", file);
    for (size_t i = 0; i < lines; i++)
        fprintf(file, "- %s\n", legend[i]);
}

static enum status markdown_write(const struct results *results, const char *path)
{
    struct overviews overviews;
    TRY(overviews_make(results, &overviews));
    struct output out;
    enum status status = output_open(&out, path);
    if (status == OK) {
        write_all(out.file, results, &overviews);
        status = output_close(&out);
    }
    overviews_free(&overviews);
    return status;
}

const struct report_format report_markdown = {
    .id = "markdown",
    .option = "markdown",
    .file_name = NULL,
    .summary = "the tables for a page or a comment on GitHub",
    .write = markdown_write,
};
