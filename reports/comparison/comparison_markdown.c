#include "comparison.h"

#include "reports/incomplete.h"
#include "reports/markdown_text.h"
#include "src/files/output.h"

/* A comment holds 64 KiB. */
enum { CHANGED_MOST = 50 };

static enum status write_comparison(FILE *file, const struct report *report, size_t other)
{
    FREED_BY(comparison_view_free) struct comparison_view view = {0};
    TRY(comparison_view_make(report, other, CHANGED_MOST, &view));
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
