/* table: what `ulpscope run` prints.  As wide as the terminal, or 100 columns: wider tables go on below.
 *
 * The table of each kind of data, as long as all of them can be read on a terminal, else the methods ranked; the
 * verdict in a sentence; where the rest is.
 */
#include "reports/axes/axis_matrix.h"
#include "reports/comparison/comparison.h"
#include "reports/incomplete.h"
#include "reports/overview.h"
#include "reports/verdict/verdict.h"

enum { LINES_READ = 150 };

static void print_heading(const struct terminal *terminal, const char *raw, const char *context)
{
    OWNED char *heading = clean_text(raw);
    if (text_width(heading) + 2 + text_width(context) <= terminal->width) {
        terminal_word(terminal, TONE_PLAIN, heading);
        fputs(": ", terminal->file);
    } else {
        terminal_bold(terminal, heading);
    }
    terminal_faint(terminal, context);
}

static void print_overviews(const struct terminal *terminal, const struct report *report,
                            const struct overviews *overviews)
{
    for (size_t i = 0; i < overviews->count; i++) {
        const struct overview *overview = &overviews->list[i];
        fputs(i > 0 ? "\n" : "", terminal->file);
        print_heading(terminal, report->runs[0].study.entries[overview->group.entry].text, overview->context);
        terminal_grid_below(terminal, &overview->grid);
    }
}

/* Of the words that stand in the tables: a narrow terminal leaves out columns. */
static void print_legend(const struct terminal *terminal, const struct overviews *overviews, const char *tables)
{
    const char *legend[LEGEND_MOST];
    struct text line = {0};
    const size_t lines = overviews_legend(overviews, legend);
    for (size_t i = 0; i < lines; i++) {
        OWNED char *word = text_made("%.*s", (int)strcspn(legend[i], ":"), legend[i]);
        if (strstr(tables, word))
            text_append(&line, "%s%s", line.length > 0 ? "; " : "", legend[i]);
    }
    if (line.length > 0)
        terminal_faint(terminal, line.text);
    free(line.text);
}

/* In memory first: how many lines there are decides whether they are printed. */
static void print_tables(struct terminal terminal, const struct report *report, const struct verdict *verdict)
{
    FILE *file = terminal.file;
    char *text, legend[RANKING_LEGEND];
    size_t length, lines = 0;
    FREED_BY(overviews_free) struct overviews overviews = {0};
    overviews_make(&report->runs[0], &overviews);
    terminal.file = text_stream(&text, &length);
    print_overviews(&terminal, report, &overviews);
    fclose(terminal.file);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    terminal.file = file;
    if (lines <= LINES_READ) {
        fputs(text, file);
        print_legend(&terminal, &overviews, text);
    } else {
        struct grid ranking = ranking_grid(&report->runs[0], verdict);
        ranking_legend(&report->runs[0], verdict, legend);
        terminal_table(&terminal, legend, &ranking, report->top);
        fprintf(file, "(%zu lines of tables are not shown; -o DIR or --html FILE writes them as a page)\n", lines);
    }
    fputs(lines > 0 ? "\n" : "", file);
    free(text);
}

/* Its sentences in one paragraph. */
static void print_verdict(const struct terminal *terminal, const struct verdict *verdict)
{
    OWNED char *sentences = verdict_sentences(verdict);
    for (char *c = sentences; *c; c++)
        *c = *c == '\n' ? (c[1] ? ' ' : '\0') : *c;
    OWNED char *clean = clean_text(sentences);
    terminal_sentence(terminal, clean);
}

static enum status table_write(const struct report *report, const char *path)
{
    if (report->run_count > 1)
        return comparison_table(report, path);
    FREED_BY(verdict_free) struct verdict verdict = {0};
    struct output out;
    TRY(output_open(&out, path));
    const struct terminal terminal = terminal_of(out.file, report_colour && strcmp(path, "-") == 0);
    incomplete_on_terminal(report, &terminal);
    verdict_make(&report->runs[0], &report->target, &verdict);
    print_tables(terminal, report, &verdict);
    print_verdict(&terminal, &verdict);
    axes_on_terminal(report, &terminal);
    return output_close(&out);
}

const struct report_format report_table = {
    .id = "table",
    .option = NULL,
    .file_name = NULL,
    .summary = "the table on the terminal",
    .write = table_write,
};
