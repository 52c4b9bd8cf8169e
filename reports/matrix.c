#include "matrix.h"

#include "src/base/fp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static struct matrix_word word_of(const char *text, char end)
{
    return (struct matrix_word){text, strcspn(text, (const char[]){end, '\0'})};
}

/* Its index; `count` when it is not among them. */
static size_t find_word(const struct matrix_word *words, size_t count, struct matrix_word word)
{
    size_t w = 0;
    while (w < count && (words[w].length != word.length || strncmp(words[w].text, word.text, word.length) != 0))
        w++;
    return w;
}

static void add_word(struct matrix_word *words, size_t *count, struct matrix_word word)
{
    if (find_word(words, *count, word) == *count)
        words[(*count)++] = word;
}

static struct matrix_word family_of(const struct spec_record *spec)
{
    return (struct matrix_word){spec->family, strlen(spec->family)};
}

static struct matrix_word accumulator_of(const char *method)
{
    return word_of(method, '/');
}

/* ---- rows ---- */

static size_t method_index(const struct study_record *study, const char *id)
{
    size_t m = 0;
    while (m < study->method_count && strcmp(study->methods[m].id, id) != 0)
        m++;
    return m;
}

static size_t family_index(const struct matrix *matrix, const char *data)
{
    const size_t whole = find_word(matrix->families, matrix->family_count, (struct matrix_word){data, strlen(data)});
    return whole < matrix->family_count ? whole : find_word(matrix->families, matrix->family_count, word_of(data, ':'));
}

static double error_of(const struct result *row)
{
    if (row->class == CLASS_EXACT)
        return 0;
    return row->class == CLASS_FINITE ? row->metrics[METRIC_relative_error] : INFINITY;
}

static enum status judge_row(void *context, const struct result *row)
{
    struct matrix *matrix = context;
    const size_t f = family_index(matrix, row->data), m = method_index(matrix->study, row->method);
    const double error = error_of(row);
    struct matrix_cell *cell = &matrix->of_method[f * matrix->study->method_count + m];
    if (!isfinite(float_from_bits(row->nearest_bits)))
        return OK;
    cell->sums++;
    cell->methods = 1;
    cell->error = fmax(cell->error, error);
    cell->worst = row->class > cell->worst ? row->class : cell->worst;
    if (!(error < MATRIX_DEFEAT))
        cell->defeated = 1;
    return OK;
}

/* ---- the whole ---- */

enum status matrix_make(const struct results *results, struct matrix *matrix)
{
    const struct study_record *study = &results->study;
    size_t specs = 0;
    *matrix = (struct matrix){.study = study};
    for (size_t e = 0; e < study->entry_count; e++)
        specs += study->entries[e].spec_count;
    matrix->families = calloc(specs + 1, sizeof *matrix->families);
    matrix->accumulators = calloc(study->method_count + 1, sizeof *matrix->accumulators);
    matrix->of_method = calloc(specs * study->method_count + 1, sizeof *matrix->of_method);
    if (!matrix->families || !matrix->accumulators || !matrix->of_method) {
        matrix_free(matrix);
        return out_of_memory("the matrix");
    }
    for (size_t e = 0; e < study->entry_count; e++)
        for (size_t s = 0; s < study->entries[e].spec_count; s++)
            add_word(matrix->families, &matrix->family_count, family_of(&study->entries[e].specs[s]));
    for (size_t m = 0; m < study->method_count; m++)
        add_word(matrix->accumulators, &matrix->accumulator_count, accumulator_of(study->methods[m].id));
    const enum status status = results_each(results, judge_row, matrix);
    if (status != OK)
        matrix_free(matrix);
    return status;
}

void matrix_free(struct matrix *matrix)
{
    free(matrix->families);
    free(matrix->accumulators);
    free(matrix->of_method);
    *matrix = (struct matrix){0};
}

struct matrix_cell matrix_cell_of(const struct matrix *matrix, size_t family, size_t accumulator)
{
    const size_t methods = matrix->study->method_count;
    struct matrix_cell all = {0};
    for (size_t m = 0; m < methods; m++) {
        const struct matrix_cell *one = &matrix->of_method[family * methods + m];
        const struct matrix_word word = accumulator_of(matrix->study->methods[m].id);
        if (find_word(matrix->accumulators, matrix->accumulator_count, word) != accumulator)
            continue;
        all.sums += one->sums;
        all.methods += one->methods;
        all.defeated += one->defeated;
        all.error = fmax(all.error, one->error);
        all.worst = one->worst > all.worst ? one->worst : all.worst;
    }
    return all;
}
