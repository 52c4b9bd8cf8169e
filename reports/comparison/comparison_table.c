#include "comparison.h"

#include "reports/incomplete.h"

enum { CHANGED_ON_SCREEN = 20 };

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
