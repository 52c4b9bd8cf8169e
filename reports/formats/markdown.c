/* markdown: the tables of the terminal for a page on GitHub.  A pull-request bot finds its comment by the first line.
 */
#include "../../src/output.h"
#include "../comparison_markdown.h"
#include "../markdown_text.h"
#include "../overview.h"
#include "../report.h"

static void write_all(FILE *file, const struct results *results, const struct overviews *overviews)
{
    const char *legend[LEGEND_MOST];
    fputs("<!-- ulpscope -->\n## ", file);
    markdown_name(file, results->study.title);
    fputc('\n', file);
    for (size_t i = 0; i < overviews->count; i++) {
        const struct overview *overview = &overviews->list[i];
        fputs("\n### ", file);
        markdown_name(file, results->study.entries[overview->group.entry].text);
        fputs("\n\n", file);
        markdown_name(file, overview->context);
        fputs("\n\n", file);
        markdown_grid(file, &overview->grid);
    }
    const size_t lines = overviews_legend(overviews, legend);
    fputs(lines > 0 ? "\n" : "\nNothing was measured.\n", file);
    for (size_t i = 0; i < lines; i++)
        fprintf(file, "- %s\n", legend[i]);
}

static enum status markdown_write(const struct report *report, const char *path)
{
    if (report->run_count > 1)
        return comparison_markdown(report, path);
    const struct results *results = &report->runs[0];
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
