#include "markdown_text.h"

#include <ctype.h>

/* An underscore between letters is no emphasis on GitHub, and plain/tree_two_pass stays readable as text. */
static bool is_markup(const char *text, const char *start)
{
    if (*text == '_')
        return text == start || !isalnum((unsigned char)text[-1]) || !isalnum((unsigned char)text[1]);
    return strchr("\\`*[]#|~@$", *text) != NULL;
}

/* What Markdown or HTML would read as markup is escaped. */
static void write_text(FILE *file, const char *text)
{
    for (const char *start = text; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else if (is_markup(text, start))
            fprintf(file, "\\%c", *text);
        else
            fputc(*text, file);
    }
}

void markdown_name(FILE *file, const char *text)
{
    OWNED char *clean = clean_text(text);
    write_text(file, clean);
}

static void write_cell(FILE *file, const struct grid *grid, size_t row, size_t column)
{
    const enum tone tone = grid_cell(grid, row, column)->tone;
    const bool is_bad = tone == TONE_BAD || tone == TONE_NO_DIGIT;
    const char *bold = is_bad && !(row >= grid->footer && column == 0) ? "**" : "";
    fprintf(file, " %s", bold);
    write_text(file, grid_text(grid, row, column));
    fputs(bold, file);
    if (*grid_word_of(grid, row, column)) {
        fputs(", ", file);
        write_text(file, grid_word_of(grid, row, column));
    }
    fputs(" |", file);
}

static void write_rows(FILE *file, const struct grid *grid, size_t from, size_t to)
{
    for (size_t r = from; r < to; r++) {
        fputs("|", file);
        for (size_t c = 0; c < grid->columns; c++)
            write_cell(file, grid, r, c);
        fputc('\n', file);
        for (size_t c = 0; r == 0 && c < grid->columns; c++)
            fputs(grid_cell(grid, 0, c)->left ? "|:--" : "|--:", file);
        fputs(r == 0 ? "|\n" : "", file);
    }
}

void markdown_grid(FILE *file, const struct grid *grid)
{
    const size_t seen = grid_seen(grid);
    write_rows(file, grid, 0, seen);
    write_rows(file, grid, grid->footer, grid->rows);
    if (seen == grid->footer)
        return;
    fprintf(file, "\n<details><summary>%zu more</summary>\n\n", grid->footer - seen);
    write_rows(file, grid, 0, 1);
    write_rows(file, grid, seen, grid->footer);
    fputs("\n</details>\n", file);
}

char *markdown_grid_taken(struct grid grid)
{
    char *text;
    size_t length;
    FILE *file = text_stream(&text, &length);
    markdown_grid(file, &grid);
    fclose(file);
    grid_free(&grid);
    return text;
}
