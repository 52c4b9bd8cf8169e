/* table: what `ulpscope run` prints.  As wide as the terminal, or 100 columns: wider tables go on below.
 *
 * The verdict always; before it the table of each kind of data, as long as all of them can be read on a terminal.
 */
#include "reports/attacked/attacked.h"
#include "reports/axes/axis_terminal.h"
#include "reports/comparison/comparison_outputs.h"
#include "reports/incomplete.h"
#include "reports/overview.h"
#include "reports/report.h"
#include "reports/speed_text.h"
#include "reports/terminal.h"
#include "reports/verdict/accumulate_table.h"
#include "reports/verdict/ranking.h"
#include "reports/verdict/verdict_table.h"
#include "reports/verdict/verdict_text.h"
#include "src/base/clean_text.h"
#include "src/base/text.h"
#include "src/files/output.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_READ = 150 };

static void print_overviews(const struct terminal *terminal, const struct results *results,
                            const struct overviews *overviews)
{
    const char *legend[LEGEND_MOST];
    for (size_t i = 0; i < overviews->count; i++) {
        const struct overview *overview = &overviews->list[i];
        char *heading = clean_text(results->study.entries[overview->group.entry].text);
        terminal_bold(terminal, heading);
        free(heading);
        terminal_faint(terminal, overview->context);
        terminal_grid(terminal, &overview->grid);
        fputc('\n', terminal->file);
    }
    const size_t lines = overviews_legend(overviews, legend);
    for (size_t i = 0; i < lines; i++)
        terminal_faint(terminal, legend[i]);
}

/* ---- the verdict ---- */

static void print_verdict(const struct terminal *terminal, const struct report *report, const struct verdict *verdict)
{
    const struct results *results = &report->runs[0];
    char *sentences = verdict_sentences(verdict), legend[RANKING_LEGEND];
    terminal_sentences(terminal, sentences);
    free(sentences);
    if (verdict->row_count == 0)
        return;
    struct grid ranking = ranking_grid(results, verdict), which = {0};
    ranking_legend(results, verdict, legend);
    terminal_table(terminal, legend, &ranking, report->top);
    which = which_method_grid(results, verdict);
    which_method_legend(results, verdict, legend);
    terminal_table(terminal, legend, &which, report->top);
    if (!formats_vary(verdict))
        return;
    struct grid accumulate = accumulate_grid(results, verdict);
    terminal_table(terminal, ACCUMULATE_LEGEND, &accumulate, report->top);
}

/* ---- attacked data ---- */

static void print_attacked(const struct terminal *terminal, const struct report *report)
{
    struct attacked attacked;
    attacked_make(&report->runs[0], &attacked);
    if (attacked.count > 0) {
        struct grid grid = attacked_grid(&attacked);
        char *sentences = attacked_sentences(&attacked, &report->target);
        terminal_table(terminal, ATTACKED_LEGEND, &grid, report->top);
        fputc('\n', terminal->file);
        terminal_sentences(terminal, sentences);
        free(sentences);
    }
    attacked_free(&attacked);
}

/* ---- the whole, in memory first: how many lines there are decides what is printed ---- */

struct draft {
    char *text;
    size_t length, lines;
};

static void draft_end(struct draft *draft, FILE *file)
{
    fclose(file);
    for (const char *c = draft->text; *c; c++)
        draft->lines += *c == '\n';
}

static void draft_overviews(struct terminal terminal, const struct results *results, struct draft *draft)
{
    struct overviews overviews;
    *draft = (struct draft){0};
    overviews_make(results, &overviews);
    terminal.file = text_stream(&draft->text, &draft->length);
    print_overviews(&terminal, results, &overviews);
    overviews_free(&overviews);
    draft_end(draft, terminal.file);
}

static void draft_verdict_grid(struct terminal terminal, const struct results *results, const struct verdict *verdict,
                               struct draft *draft)
{
    struct grid grid = verdict_grid(results, verdict);
    *draft = (struct draft){0};
    terminal.file = text_stream(&draft->text, &draft->length);
    terminal_faint(&terminal, VERDICT_LEGEND);
    terminal_grid_taken(&terminal, &grid);
    draft_end(draft, terminal.file);
}

/* Where the rest is. */
static void print_left_out(const struct terminal *terminal, size_t lines)
{
    fprintf(terminal->file, "(%zu lines of tables are not shown; -o DIR or --html FILE writes them as a page)\n\n",
            lines);
}

static void print_tables(const struct terminal *terminal, const struct results *results, const struct verdict *verdict)
{
    struct draft overviews = {0}, grid = {0};
    draft_overviews(*terminal, results, &overviews);
    if (overviews.lines <= LINES_READ) {
        fputs(overviews.text, terminal->file);
        fputs(overviews.lines > 0 ? "\n" : "", terminal->file);
    } else {
        draft_verdict_grid(*terminal, results, verdict, &grid);
        if (grid.lines <= LINES_READ)
            fprintf(terminal->file, "%s\n", grid.text);
        print_left_out(terminal, overviews.lines + (grid.lines <= LINES_READ ? 0 : grid.lines));
    }
    free(overviews.text);
    free(grid.text);
}

static enum status table_write(const struct report *report, const char *path)
{
    if (report->run_count > 1)
        return comparison_table(report, path);
    const struct results *results = &report->runs[0];
    struct verdict verdict;
    struct output out;
    TRY(output_open(&out, path));
    const struct terminal terminal = terminal_of(out.file, report_colour && strcmp(path, "-") == 0);
    incomplete_on_terminal(report, &terminal);
    verdict_make(results, &report->target, &verdict);
    print_tables(&terminal, results, &verdict);
    print_verdict(&terminal, report, &verdict);
    print_attacked(&terminal, report);
    axes_on_terminal(report, &terminal);
    verdict_free(&verdict);
    return output_close(&out);
}

const struct report_format report_table = {
    .id = "table",
    .option = NULL,
    .file_name = NULL,
    .summary = "the table on the terminal",
    .write = table_write,
};
