/* markdown: the verdict for a pull request.  A pull-request bot finds its comment by the first line.
 *
 * A comment on GitHub has at most 65,536 characters: tables that would not fit are left out, and that is said.
 */
#include "reports/attacked/attacked.h"
#include "reports/axes/axis_matrix.h"
#include "reports/comparison/comparison.h"
#include "reports/incomplete.h"
#include "reports/markdown_text.h"
#include "reports/spec_labels.h"
#include "reports/verdict/verdict_table.h"

enum { COMMENT_MOST = 60000 };

/* Appends a part if the comment has room for it. */
static void append_grid(FILE *file, const char *before, struct grid grid, const char *after, const char *what)
{
    OWNED char *part = markdown_grid_taken(grid);
    if ((size_t)ftell(file) + strlen(part) + strlen(before) + strlen(after) <= COMMENT_MOST)
        fprintf(file, "%s%s%s", before, part, after);
    else
        fprintf(file, "\n\"%s\" is left out: a comment has at most 65,536 characters; report.html has it.\n", what);
}

static void worst_row(struct grid *grid, const struct series *series)
{
    char exact[NUMBER_TEXT];
    worst_exact_decimal(series, exact);
    grid_add(grid, cell_text("%s", series->method), cell_error(series->worst_ulp_error),
             cell_text("%s", format_text(series->format, format_value(series->format, series->worst_bits))),
             cell_text("%s", exact), cell_text("%s", series->worst_command ? series->worst_command : ""));
}

static struct grid worst_grid(const struct results *results)
{
    struct grid grid = grid_headed(1, "method | > ulp | > computed | > exact | run it again");
    OWNED const struct series **worst = NULL;
    size_t count;
    worst_of_methods(results, &worst, &count);
    for (size_t i = 0; i < count; i++)
        worst_row(&grid, worst[i]);
    return grid;
}

/* Takes the lines. */
static void write_list(FILE *file, char *lines)
{
    for (char *rest = lines, *line; (line = strsep(&rest, "\n"));)
        if (*line) {
            fputs("- ", file);
            markdown_name(file, line);
            fputc('\n', file);
        }
    free(lines);
}

/* "4 methods on 2 kinds of data ...; commit 1a2b3c; `ulpscope run ...`" */
static void write_made(FILE *file, const struct results *results)
{
    static const char *const facts[][2] = {{"program", "version"}, {"program", "commit"}, {"run", "command"}};
    OWNED char *sentence = run_sentence(results);
    fputs("\nHow this was made: ", file);
    markdown_name(file, sentence);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *value = results_fact(results, facts[i][0], facts[i][1]);
        if (*value) {
            fprintf(file, "%s%s ", i == 0 ? " " : "; ", facts[i][1]);
            markdown_name(file, value);
        }
    }
    fputc('\n', file);
}

/* A table under a heading, with what its columns mean. */
static void append_titled(FILE *file, const char *title, const char *legend, struct grid grid, size_t top)
{
    struct text before = {0};
    text_append(&before, "\n### %s\n\n%s\n\n", title, legend);
    OWNED char *text = text_take(&before);
    grid.top = top;
    append_grid(file, text, grid, "", title);
}

static void write_attacked(FILE *file, const struct report *report)
{
    FREED_BY(attacked_free) struct attacked attacked = {0};
    attacked_make(&report->runs[0], &attacked);
    if (attacked.count > 0) {
        append_titled(file, "Attacked data", ATTACKED_LEGEND, attacked_grid(&attacked), report->top);
        fputc('\n', file);
        write_list(file, attacked_sentences(&attacked, &report->target));
    }
}

static void write_axes(FILE *file, const struct results *results, size_t top)
{
    FREED_BY(axis_matrix_free) struct axis_matrix matrix = {0};
    axis_matrix_make(results, &matrix);
    if (matrix.count > 0) {
        append_titled(file, "Which change changes the bits?", AXIS_LEGEND, axis_grid(&matrix, false), 0);
        fputc('\n', file);
        for (size_t c = 0; c < matrix.count; c++)
            write_list(file, axis_sentence(&matrix.columns[c]));
        write_list(file, axis_reasons(&matrix));
        struct grid witnesses = axis_witnesses(&matrix, true);
        witnesses.top = top;
        if (witnesses.rows > 1)
            append_grid(file, "\n" AXIS_WITNESSES "\n\n", witnesses, "", AXIS_WITNESSES);
        else
            grid_free(&witnesses);
    }
}

static void write_run(FILE *file, const struct report *report, const struct verdict *verdict)
{
    const struct results *results = &report->runs[0];
    fputs("<!-- ulpscope -->\n", file);
    incomplete_in_markdown(report, file);
    fputs("## ", file);
    markdown_name(file, results->study.title);
    fputc('\n', file);
    fputc('\n', file);
    write_list(file, verdict_sentences(verdict));
    if (verdict->row_count == 0) {
        write_made(file, results);
        return;
    }
    char legend[RANKING_LEGEND];
    ranking_legend(results, verdict, legend);
    append_titled(file, "Methods ranked", legend, ranking_grid(results, verdict), report->top);
    which_method_legend(results, verdict, legend);
    append_titled(file, "Which method on which data?", legend, which_method_grid(results, verdict), report->top);
    if (formats_vary(verdict))
        append_titled(file, "Which format to accumulate in?", ACCUMULATE_LEGEND, accumulate_grid(results, verdict),
                      report->top);
    write_attacked(file, report);
    write_axes(file, results, report->top);
    append_grid(file, "\n<details><summary>Worst cases</summary>\n\n", worst_grid(results), "\n</details>\n",
                "Worst cases");
    write_made(file, results);
}

static enum status markdown_write(const struct report *report, const char *path)
{
    if (report->run_count > 1)
        return comparison_markdown(report, path);
    FREED_BY(verdict_free) struct verdict verdict = {0};
    OWNED char *whole = NULL;
    size_t length;
    struct output out;
    verdict_make(&report->runs[0], &report->target, &verdict);
    FILE *file = text_stream(&whole, &length);
    write_run(file, report, &verdict);
    fclose(file);
    TRY(output_open(&out, path));
    fputs(whole, out.file);
    return output_close(&out);
}

const struct report_format report_markdown = {
    .id = "markdown",
    .option = "markdown",
    .file_name = NULL,
    .summary = "the verdict for a page or a comment on GitHub",
    .write = markdown_write,
};
