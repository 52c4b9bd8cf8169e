/* For people: what the numbers are, the table, the line to paste, and what would still pass. */
#include "tolerance.h"

#include "reports/terminal.h"

static void print_heading(const struct terminal *terminal, const struct tolerance *tolerance)
{
    const struct tolerance_request *const request = tolerance->request;
    OWNED char *title = text_made("%s@%s, n = %" PRIu64, request->word, request->formats->id, request->n);
    OWNED char *name = clean_text(request->spec ? request->spec->text : "none");
    terminal_bold(terminal, title);
    fprintf(terminal->file, "%s\ndata %s, seed %" PRIu64 ": %zu result%s\n", request->formats->claim, name,
            request->seed, tolerance->trials.count, tolerance->trials.count == 1 ? "" : "s");
}

static void print_table(const struct terminal *terminal, const struct tolerance *tolerance)
{
    static const char *const heads[] = {"", "", "rtol", "atol", "zeros pass", "faults pass", "correct fails"};
    const struct method *const tried = tolerance->trials.sums[0].method;
    const char *const word = tolerance->request->tree.order ? tolerance->request->tree.order : "";
    struct grid grid = grid_of(sizeof heads / sizeof *heads, 2);
    bool has_model = false;
    grid_heads(&grid, "llrrrrr", heads);
    for (size_t i = 0; i < tolerance->line_count; i++) {
        const struct tolerance_line *const line = &tolerance->lines[i];
        has_model |= line->kind == TOLERANCE_MODEL;
        grid_row(&grid);
        grid_set(&grid, 0, TONE_PLAIN, "%s", tolerance_kinds[line->kind]);
        grid_set(&grid, 1, TONE_PLAIN, "%s", line->name);
        if (line->no_claim) {
            grid_set(&grid, 2, TONE_PLAIN, "no claim");
            continue;
        }
        grid_set(&grid, 2, TONE_PLAIN, "%.1e", line->pair.relative);
        grid_set(&grid, 3, TONE_PLAIN, line->pair.absolute > 0 ? "%.1e" : "%.0f", line->pair.absolute);
        grid_set(&grid, 4, line->zeros > 0 ? TONE_BAD : TONE_PLAIN, "%zu of %zu", line->zeros, tolerance->trials.count);
        grid_set(&grid, 5, TONE_PLAIN, "%zu of %zu", line->passing, line->seen);
        grid_set(&grid, 6, TONE_PLAIN, "%zu of %zu", line->refused, tolerance->trials.count);
    }
    terminal_grid_taken(terminal, &grid);
    if (has_model)
        terminal_sentence(terminal,
                          "probabilistic: what 1 sum in 1,000 may exceed, were roundings random and without bias, "
                          "as they are not always: no proof (docs/bounds.md).");
    if (tolerance->request->order && !tolerance->request->method && strcmp(tried->order, word) != 0)
        fprintf(terminal->file, "correct fails: by %s; no sum in an order of %s is tried.\n", tried->id,
                tolerance->request->order);
    for (size_t i = 0; i < tolerance->line_count; i++)
        if (tolerance->lines[i].no_claim)
            fprintf(terminal->file, "no claim, %s: %s\n", tolerance->lines[i].name, tolerance->lines[i].no_claim);
}

/* "for all numbers with sum |x| <= 8.3e+02, max |x| <= 4.2" */
static char *class_of_statistic(const struct tolerance *tolerance)
{
    struct moments of = tolerance->class.moments;
    struct text text = {0};
    text_append(&text, "for all numbers with");
    for (size_t m = 0, told = 0; m < TOLERANCE_MOMENTS; m++)
        if (!isnan(*tolerance_moment(&of, m)))
            text_append(&text, "%s %s %s %.2g", told++ > 0 ? "," : "", tolerance_moments[m].name,
                        tolerance_moments[m].is_below ? ">=" : "<=", *tolerance_moment(&of, m));
    return text_take(&text);
}

static void print_written(const struct terminal *terminal, const struct tolerance *tolerance)
{
    const struct tolerance_line *const written = tolerance->written;
    if (written->kind == TOLERANCE_THEOREM && is_statistic(tolerance->request->operation)) {
        OWNED char *class = class_of_statistic(tolerance),
                   *text = text_made("Write, proven of %s %s:", written->name, class);
        fputc('\n', terminal->file);
        terminal_sentence(terminal, text);
    } else if (written->kind == TOLERANCE_THEOREM)
        fprintf(terminal->file, "\nWrite, proven of %s for all numbers %s %.2g:\n", written->name,
                tolerance->is_relative ? "of a condition up to" : "whose magnitudes add up to at most",
                tolerance->is_relative ? tolerance->class.condition : tolerance->class.sum_abs);
    else
        fprintf(terminal->file, "\nWrite, measured, no proof:\n");
    fprintf(terminal->file, "|actual - expected| <= atol + rtol |expected|, expected being exact or rounded to %s\n",
            tolerance->request->formats->result->name);
    for (size_t i = 0; i < TOLERANCE_PASTES; i++) {
        OWNED char *line = tolerance_paste(tolerance, i);
        if (line)
            fprintf(terminal->file, "  %s\n", line);
    }
    if (written->zeros > 0)
        fprintf(terminal->file, "\nZeros pass on %zu of %zu; on %zu 0 is right.\n", written->zeros,
                tolerance->trials.count, tolerance->zeros);
    if (written->passing > 0)
        fprintf(terminal->file, "\nIt would still pass results in which\n");
    for (size_t f = 0; f < tolerance->trials.fault_count; f++)
        if (strcmp(tolerance_fate(tolerance, written, f), "passes") == 0)
            fprintf(terminal->file, "  %-20s %s\n", tolerance->trials.faults[f].fault->id,
                    tolerance->trials.faults[f].fault->meaning);
}

void tolerance_print(const struct tolerance *tolerance, FILE *to, bool colour)
{
    const struct terminal terminal = terminal_of(to, colour);
    print_heading(&terminal, tolerance);
    if (tolerance->no_claim) {
        fprintf(to, "no claim: %s\n", tolerance->no_claim);
        return;
    }
    print_table(&terminal, tolerance);
    if (!tolerance->written) {
        fprintf(to, "\nno number to write: %s\n", tolerance->not_written);
        return;
    }
    print_written(&terminal, tolerance);
}
