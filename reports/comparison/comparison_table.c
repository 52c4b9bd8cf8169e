#include "comparison.h"

#include "reports/incomplete.h"
#include "reports/markdown_text.h"

enum { CHANGED_ON_SCREEN = 20, CHANGED_ON_PAGE = 50 };

static enum status print_comparison(const struct terminal *terminal, const struct report *report, size_t other)
{
    FREED_BY(comparison_view_free) struct comparison_view view = {0};
    TRY(comparison_view_make(report, other, CHANGED_ON_SCREEN, &view));
    fputc('\n', terminal->file);
    terminal_bold(terminal, view.sentence);
    for (size_t i = 0; i < view.part_count; i++) {
        fputc('\n', terminal->file);
        terminal_bold(terminal, view.parts[i].title);
        terminal_faint(terminal, view.parts[i].note);
        terminal_grid(terminal, &view.parts[i].grid);
    }
    return OK;
}

enum status comparison_table(const struct report *report, const char *path)
{
    struct output out;
    enum status status = OK;
    TRY(output_open(&out, path));
    const struct terminal terminal = terminal_of(out.file, report_colour && strcmp(path, "-") == 0);
    struct grid runs = comparison_runs(report);
    incomplete_on_terminal(report, &terminal);
    terminal_grid_taken(&terminal, &runs);
    for (size_t r = 1; r < report->run_count && status == OK; r++)
        status = print_comparison(&terminal, report, r);
    return output_end(&out, status);
}

/* A comment holds 64 KiB. */
static enum status write_comparison(FILE *file, const struct report *report, size_t other)
{
    FREED_BY(comparison_view_free) struct comparison_view view = {0};
    TRY(comparison_view_make(report, other, CHANGED_ON_PAGE, &view));
    fprintf(file, "\n### %s\n\n", view.heading);
    markdown_name(file, view.sentence);
    fputc('\n', file);
    for (size_t i = 0; i < view.part_count; i++) {
        fprintf(file, "\n#### %s\n\n", view.parts[i].title);
        markdown_name(file, view.parts[i].note);
        fputs("\n\n", file);
        markdown_grid(file, &view.parts[i].grid);
    }
    return OK;
}

enum status comparison_markdown(const struct report *report, const char *path)
{
    struct output out;
    enum status status = OK;
    TRY(output_open(&out, path));
    fputs("<!-- ulpscope -->\n", out.file);
    incomplete_in_markdown(report, out.file);
    fputs("## Comparison\n\n", out.file);
    struct grid runs = comparison_runs(report);
    markdown_grid(out.file, &runs);
    grid_free(&runs);
    for (size_t r = 1; r < report->run_count && status == OK; r++)
        status = write_comparison(out.file, report, r);
    return output_end(&out, status);
}
