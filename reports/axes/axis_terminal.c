#include "axis_matrix.h"
#include "reports/incomplete.h"

void axes_on_terminal(const struct report *report, const struct terminal *terminal)
{
    FREED_BY(axis_matrix_free) struct axis_matrix matrix = {0};
    axis_matrix_make(&report->runs[0], &matrix);
    if (matrix.count > 0) {
        struct grid grid = axis_grid(&matrix, false), witnesses = axis_witnesses(&matrix, false);
        OWNED char *reasons = axis_reasons(&matrix);
        terminal_table(terminal, AXIS_LEGEND, &grid, 0);
        fputc('\n', terminal->file);
        for (size_t c = 0; c < matrix.count; c++) {
            OWNED char *sentence = axis_sentence(&matrix.columns[c]);
            terminal_sentences(terminal, sentence);
        }
        terminal_sentences(terminal, reasons);
        if (witnesses.rows > 1)
            terminal_table(terminal, AXIS_WITNESSES, &witnesses, report->top);
        else
            grid_free(&witnesses);
    }
}

enum status axes_write(const struct report *report, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    const struct terminal terminal = terminal_of(out.file, report_colour && strcmp(path, "-") == 0);
    incomplete_on_terminal(report, &terminal);
    axes_on_terminal(report, &terminal);
    return output_close(&out);
}
