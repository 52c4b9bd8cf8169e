#include "axis_matrix.h"
#include "reports/incomplete.h"

/* ---- cells ---- */

static enum axis_state state_of(const struct varied_axis *varied)
{
    return varied->results > 1                            ? AXIS_DIFFERS
           : strcmp(varied->why, AXIS_NONE_TO_BLAME) == 0 ? AXIS_RESTLESS
           : varied->variants == 0                        ? AXIS_NOT_VARIED
           : *varied->why                                 ? AXIS_FAILED
                                                          : AXIS_SAME;
}

bool axis_is_wrong(const struct varied_axis *varied)
{
    return strncmp(varied->why, AXIS_WRONG, strlen(AXIS_WRONG)) == 0;
}

static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a > b ? a : b;
}

static void add(struct axis_cell *cell, const struct varied_axis *varied)
{
    const enum axis_state state = state_of(varied);
    cell->variants += varied->variants;
    cell->results = varied->results > cell->results ? varied->results : cell->results;
    cell->spread = larger(cell->spread, varied->spread);
    if (state > cell->state || (state == cell->state && axis_is_wrong(varied) && !axis_is_wrong(cell->witness))) {
        cell->state = state;
        cell->witness = varied;
    }
}

/* ---- columns ---- */

static bool is_of_several_backends(const struct results *results, const char *method)
{
    const struct backend *first = NULL;
    for (size_t i = 0; i < results->variation_count; i++)
        if (strcmp(results->variations[i].method, method) == 0) {
            if (first && first != results->variations[i].backend)
                return true;
            first = results->variations[i].backend;
        }
    return false;
}

/* Of all data: whatever changes the bits of some of them does so in the column. */
static void add_column(const struct results *results, struct axis_matrix *matrix, struct axis_column column)
{
    bool is_varied = false;
    for (size_t i = 0; i < results->variation_count; i++) {
        const struct varied_axis *varied = &results->variations[i];
        if (strcmp(varied->method, column.method) == 0 && varied->backend == column.backend) {
            add(&column.cells[varied->axis], varied);
            is_varied = true;
        }
    }
    if (!is_varied)
        return;
    column.name = is_of_several_backends(results, column.method)
                      ? text_made("%s (%s)", column.method, column.backend->id)
                      : memory_copy(column.method);
    matrix->columns = memory_resized(matrix->columns, (matrix->count + 1) * sizeof *matrix->columns);
    matrix->columns[matrix->count++] = column;
}

struct axis_column axis_column_of(const struct results *results, const struct series *series)
{
    struct axis_column column = {.method = series->method, .backend = series->backend};
    for (size_t i = 0; i < results->variation_count; i++) {
        const struct varied_axis *varied = &results->variations[i];
        if (strcmp(varied->method, series->method) == 0 && strcmp(varied->data, series->data) == 0 &&
            varied->backend == series->backend && same_launch(varied->launch, series->launch))
            add(&column.cells[varied->axis], varied);
    }
    return column;
}

void axis_matrix_make(const struct results *results, struct axis_matrix *matrix)
{
    *matrix = (struct axis_matrix){0};
    for (size_t m = 0; m < results->study.method_count; m++)
        for (size_t b = 0; b < BACKENDS; b++)
            add_column(results, matrix,
                       (struct axis_column){.method = results->study.methods[m].id, .backend = &backend_table[b]});
}

void axis_matrix_free(struct axis_matrix *matrix)
{
    for (size_t c = 0; c < matrix->count; c++)
        free(matrix->columns[c].name);
    free(matrix->columns);
    *matrix = (struct axis_matrix){0};
}

bool axis_is_in(const struct axis_matrix *matrix, enum axis axis)
{
    for (size_t c = 0; c < matrix->count; c++)
        if (matrix->columns[c].cells[axis].state != AXIS_NOT_ASKED)
            return true;
    return false;
}

/* ---- tables ---- */

void axis_cell_text(const struct axis_cell *cell, char text[AXIS_TEXT])
{
    static const char *const words[] = {[AXIS_NOT_ASKED] = "",
                                        [AXIS_NOT_VARIED] = "not varied",
                                        [AXIS_SAME] = "same",
                                        [AXIS_FAILED] = "failed",
                                        [AXIS_RESTLESS] = "not varied"};
    if (cell->state == AXIS_SAME && cell->witness->axis == AXIS_repeat) {
        snprintf(text, AXIS_TEXT, "same in %" PRIu64 " calls", cell->variants);
        return;
    }
    if (cell->state != AXIS_DIFFERS) {
        snprintf(text, AXIS_TEXT, "%s", words[cell->state]);
        return;
    }
    const char *wrong = axis_is_wrong(cell->witness) ? ", wrong" : "";
    if (cell->spread == 0)
        snprintf(text, AXIS_TEXT, "%" PRIu64 " results%s", cell->results, wrong);
    else if (isnan(cell->spread))
        snprintf(text, AXIS_TEXT, "%" PRIu64 " results, not all numbers%s", cell->results, wrong);
    else
        snprintf(text, AXIS_TEXT, "%" PRIu64 " results, up to %s ulp%s", cell->results, error_text(cell->spread),
                 wrong);
}

static void set_cell(struct grid *grid, size_t column, const struct axis_cell *cell, bool is_explained)
{
    static const enum tone tones[] = {
        [AXIS_NOT_ASKED] = TONE_PLAIN, [AXIS_NOT_VARIED] = TONE_PLAIN, [AXIS_SAME] = TONE_GOOD,
        [AXIS_FAILED] = TONE_BAD,      [AXIS_DIFFERS] = TONE_BAD,      [AXIS_RESTLESS] = TONE_BAD};
    char text[AXIS_TEXT], variants[AXIS_TEXT];
    axis_cell_text(cell, text);
    if (!*text)
        return;
    grid_set(grid, column, tones[cell->state], "%s", text);
    snprintf(variants, sizeof variants, "%" PRIu64 " variant%s", cell->variants, cell->variants == 1 ? "" : "s");
    if (is_explained && cell->variants > 0)
        grid_word(grid, column, variants);
}

struct grid axis_grid(const struct axis_matrix *matrix, bool is_explained)
{
    struct grid grid = grid_of(1 + matrix->count, 1);
    grid_row(&grid);
    grid_head(&grid, 0, true, "axis");
    for (size_t c = 0; c < matrix->count; c++)
        grid_head(&grid, 1 + c, true, matrix->columns[c].name);
    for (int axis = 0; axis < AXES; axis++) {
        if (!axis_is_in(matrix, (enum axis)axis))
            continue;
        grid_row(&grid);
        grid_set(&grid, 0, TONE_PLAIN, "%s", axis_table[axis].id);
        if (is_explained)
            grid_word(&grid, 0, axis_table[axis].varied);
        for (size_t c = 0; c < matrix->count; c++)
            set_cell(&grid, 1 + c, &matrix->columns[c].cells[axis], is_explained);
    }
    return grid;
}

const struct format *axis_format_of_bits(const struct varied_axis *varied)
{
    const unsigned digits = 8 * varied->format->bytes;
    const bool is_hash = digits < 64 && (varied->base >> digits > 0 || varied->bits >> digits > 0);
    return is_hash ? &FORMAT_BINARY64 : varied->format;
}

static void witness_row(const struct axis_column *column, const struct axis_cell *cell, struct grid *grid)
{
    const struct varied_axis *witness = cell->witness;
    char bits[FORMAT_BITS_TEXT], base[FORMAT_BITS_TEXT];
    format_write_bits(axis_format_of_bits(witness), witness->bits, bits);
    format_write_bits(axis_format_of_bits(witness), witness->base, base);
    grid_add(grid, cell_text("%s", column->method), cell_text("%s", axis_table[witness->axis].id),
             cell_text("%s", witness->data), cell_text("%s", witness->first), cell_text("%s", bits),
             cell_text("%s", base));
    if (grid->columns > 6)
        grid_set(grid, 6, TONE_PLAIN, "%s", witness->command);
}

struct grid axis_witnesses(const struct axis_matrix *matrix, bool has_commands)
{
    OWNED char *heads = text_made("method | axis | data | first with other bits | bits there | in place of%s",
                                  has_commands ? " | vary it again" : "");
    struct grid grid = grid_headed(2, heads);
    for (size_t c = 0; c < matrix->count; c++)
        for (int axis = 0; axis < AXES; axis++)
            if (matrix->columns[c].cells[axis].state == AXIS_DIFFERS)
                witness_row(&matrix->columns[c], &matrix->columns[c].cells[axis], &grid);
    return grid;
}

/* ---- sentences ---- */

/* What changes the bits, and what a method does not survive. */
static bool is_to_be_fixed(const struct axis_cell *cell)
{
    return cell->state == AXIS_DIFFERS || cell->state == AXIS_FAILED;
}

static bool is_restless(const struct axis_cell *cell)
{
    return cell->state == AXIS_RESTLESS;
}

static bool is_varied(const struct axis_cell *cell)
{
    return is_to_be_fixed(cell) || cell->state == AXIS_SAME;
}

static size_t count_of(const struct axis_column *column, bool (*has)(const struct axis_cell *))
{
    size_t count = 0;
    for (int axis = 0; axis < AXES; axis++)
        count += has(&column->cells[axis]);
    return count;
}

char *axis_fixed(const struct axis_column *column)
{
    const size_t differing = count_of(column, is_to_be_fixed);
    struct text text = {0};
    if (column->cells[AXIS_repeat].state == AXIS_DIFFERS || count_of(column, is_restless) > 0) {
        text_append(&text, "fixed by nothing: a second call may give other bits");
        return text_take(&text);
    }
    if (differing == 0) {
        text_append(&text,
                    count_of(column, is_varied) > 0 ? "same bits whatever was varied" : "nothing could be varied");
        return text_take(&text);
    }
    text_append(&text, "same bits as long as ");
    size_t told = 0;
    for (int axis = 0; axis < AXES; axis++)
        if (is_to_be_fixed(&column->cells[axis])) {
            text_append(&text, "%s%s", told == 0 ? "" : told + 1 == differing ? " and " : ", ", axis_table[axis].fixed);
            told++;
        }
    text_append(&text, differing == 1 ? " is fixed" : " are fixed");
    return text_take(&text);
}

char *axis_sentence(const struct axis_column *column)
{
    OWNED char *fixed = axis_fixed(column);
    return text_made("%s: %s", column->name, fixed);
}

static bool has_reason(const struct axis_cell *cell)
{
    return cell->witness && *cell->witness->why;
}

static bool are_one_reason(const struct axis_cell *a, const struct axis_cell *b)
{
    return a->state == b->state && has_reason(a) && strcmp(a->witness->why, b->witness->why) == 0;
}

enum { NAMES_MOST = 4 }; /* of methods that have a reason in common; the others are counted */

/* Once for all columns with it: at the first. */
static void append_reason(struct text *text, const struct axis_matrix *matrix, size_t column, int axis)
{
    const struct axis_cell *cell = &matrix->columns[column].cells[axis];
    if (!has_reason(cell))
        return;
    for (size_t c = 0; c < column; c++)
        if (are_one_reason(&matrix->columns[c].cells[axis], cell))
            return;
    const bool is_wrong = axis_is_wrong(cell->witness);
    text_append(text, "%s %s%s", axis_table[axis].id,
                is_wrong                                                    ? "is "
                : cell->state == AXIS_FAILED || cell->state == AXIS_DIFFERS ? "failed in part: "
                                                                            : "was not varied: ",
                cell->witness->why);
    size_t with_it = 0, told = 0;
    for (size_t c = column; c < matrix->count; c++)
        with_it += are_one_reason(&matrix->columns[c].cells[axis], cell);
    for (size_t c = column; c < matrix->count && with_it < matrix->count && told < NAMES_MOST; c++)
        if (are_one_reason(&matrix->columns[c].cells[axis], cell))
            text_append(text, "%s%s", told++ == 0 ? " (" : ", ", matrix->columns[c].name);
    if (told > 0 && with_it > told)
        text_append(text, " and %zu more", with_it - told);
    text_append(text, told > 0 ? ")\n" : "\n");
}

char *axis_reasons(const struct axis_matrix *matrix)
{
    struct text text = {0};
    for (int axis = 0; axis < AXES; axis++)
        for (size_t c = 0; c < matrix->count; c++)
            append_reason(&text, matrix, c, axis);
    return text_take(&text);
}

char *axes_left(const struct axis_matrix *matrix)
{
    uint32_t left = 0;
    for (int axis = 0; axis < AXES; axis++)
        if (!axis_is_in(matrix, (enum axis)axis))
            left |= UINT32_C(1) << axis;
    return axes_text(left);
}

/* ---- on a terminal ---- */

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
