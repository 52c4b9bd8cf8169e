/* matrix: families of data down, accumulators across; in each cell the largest relative error of all orders that were
 * run.  Then, the other way round, who defeats each accumulator.
 */
#include "reports/matrix.h"
#include "reports/markdown_text.h"
#include "reports/report.h"
#include "src/base/number.h"
#include "src/base/output.h"
#include "src/base/text.h"

#include <stdlib.h>

/* "1e-07", "exact", "nan", and in how many of the orders it is a defeat: "1 (2 of 5)". */
static void set_cell(struct grid *grid, size_t column, const struct matrix_cell *cell)
{
    static const char *const words[CLASSES] = {
        [CLASS_EXACT] = "exact", [CLASS_ZERO_SUM] = "not 0", [CLASS_OVERFLOW] = "overflow", [CLASS_NAN] = "nan"};
    char number[NUMBER_TEXT];
    write_rounded(cell->error, number);
    const char *text = cell->worst == CLASS_FINITE ? number : words[cell->worst];
    if (cell->sums == 0)
        grid_set(grid, column, TONE_PLAIN, "-");
    else if (cell->defeated > 0 && cell->defeated < cell->methods)
        grid_set(grid, column, TONE_BAD, "%s (%zu of %zu)", text, cell->defeated, cell->methods);
    else
        grid_set(grid, column, cell->defeated > 0 ? TONE_BAD : TONE_PLAIN, "%s", text);
}

static void set_word(struct grid *grid, size_t column, struct matrix_word word)
{
    grid_set(grid, column, TONE_PLAIN, "%.*s", (int)word.length, word.text);
}

static struct grid make_cells(const struct matrix *matrix)
{
    struct grid grid = grid_of(1 + matrix->accumulator_count, 1);
    grid_row(&grid);
    grid_head(&grid, 0, true, "family");
    for (size_t a = 0; a < matrix->accumulator_count; a++)
        set_word(&grid, 1 + a, matrix->accumulators[a]);
    for (size_t f = 0; f < matrix->family_count; f++) {
        grid_row(&grid);
        set_word(&grid, 0, matrix->families[f]);
        for (size_t a = 0; a < matrix->accumulator_count; a++) {
            const struct matrix_cell cell = matrix_cell_of(matrix, f, a);
            set_cell(&grid, 1 + a, &cell);
        }
    }
    return grid;
}

/* "swamp, path, ..."; "none".  Allocated. */
static char *defeaters_of(const struct matrix *matrix, size_t accumulator)
{
    struct text text = {0};
    size_t count = 0;
    for (size_t f = 0; f < matrix->family_count; f++)
        if (matrix_cell_of(matrix, f, accumulator).defeated > 0)
            text_append(&text, "%s%.*s", count++ ? ", " : "", (int)matrix->families[f].length,
                        matrix->families[f].text);
    if (count == 0)
        text_append(&text, "none");
    return text_take(&text);
}

static struct grid make_defeats(const struct matrix *matrix)
{
    struct grid grid = grid_of(2, 2);
    grid_row(&grid);
    grid_head(&grid, 0, true, "accumulator");
    grid_head(&grid, 1, true, "defeated by");
    for (size_t a = 0; a < matrix->accumulator_count; a++) {
        char *families = defeaters_of(matrix, a);
        grid_row(&grid);
        set_word(&grid, 0, matrix->accumulators[a]);
        grid_set(&grid, 1, TONE_PLAIN, "%s", families ? families : "");
        grid.failed = grid.failed || !families;
        free(families);
    }
    return grid;
}

static void write_context(FILE *file, const struct results *results, const struct matrix *matrix)
{
    const struct study_record *study = &results->study;
    fputs("The largest relative error of each accumulator on each family of data, over all orders, sizes and trials "
          "that were run. Bold: defeated, that is an error of 1e-3 or more where the exact sum is a number in range "
          "(s = 0: \"not 0\"), with the number of orders in which it was, if not in all. \"-\": the exact sum is no "
          "finite number.\n\n",
          file);
    fprintf(file, "%zu families, %zu accumulators, %zu methods; seed %llu. Made by\n\n    ", matrix->family_count,
            matrix->accumulator_count, study->method_count, (unsigned long long)study->seed);
    fprintf(file, "%s\n\n", results_fact(results, "run", "command"));
}

static enum status matrix_write(const struct report *report, const char *path)
{
    const struct results *results = &report->runs[0];
    struct matrix matrix;
    struct output out;
    TRY(matrix_make(results, &matrix));
    struct grid cells = make_cells(&matrix), defeats = make_defeats(&matrix);
    enum status status = cells.failed || defeats.failed ? out_of_memory("the matrix") : output_open(&out, path);
    if (status == OK) {
        fputs("# Families and accumulators\n\n", out.file);
        write_context(out.file, results, &matrix);
        markdown_grid(out.file, &cells);
        fputs("\n## Who defeats whom\n\n", out.file);
        markdown_grid(out.file, &defeats);
        status = output_close(&out);
    }
    grid_free(&cells);
    grid_free(&defeats);
    matrix_free(&matrix);
    return status;
}

const struct report_format report_matrix = {
    .id = "matrix",
    .option = "matrix",
    .file_name = NULL,
    .of_one_run = true,
    .summary = "families of data x accumulators: who defeats whom, for a page on GitHub",
    .write = matrix_write,
};
