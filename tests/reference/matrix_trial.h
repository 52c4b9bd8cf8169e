/* Matrix products that are hard to sum: numbers of all kinds, matrices of all layouts; for tests of
 * cmocka, whose header comes first. */
#ifndef TESTS_REFERENCE_MATRIX_TRIAL_H
#define TESTS_REFERENCE_MATRIX_TRIAL_H

#include "number_kinds.h"
#include "reference/matrix.h"

#include <stdlib.h>

/* ---- products ---- */

/* A product, and what it reads and writes. */
struct trial {
    struct matrix_product product;
    void *a, *b, *computed;
    struct exact_element *elements;
};

/* Rows or columns one after the other, with NaNs between them, which nobody may read. */
static inline void *matrix_new(struct matrix *matrix, const struct format *format, uint64_t rows, uint64_t columns,
                               number_kind *kind)
{
    const bool by_rows = below(2);
    const uint64_t line = (by_rows ? columns : rows) + below(3), lines = by_rows ? rows : columns;
    void *const numbers = malloc((line * lines + 1) * sizeof(double));
    assert_non_null(numbers);
    *matrix = by_rows ? (struct matrix){numbers, line, 1} : (struct matrix){numbers, 1, line};
    for (uint64_t i = 0; i < line * lines; i++)
        held_set(format, numbers, i, NAN);
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t k = 0; k < columns; k++)
            held_set(format, numbers, i * matrix->row_step + k * matrix->column_step, kind(format));
    return numbers;
}

static inline struct trial trial_new(const struct format *format, const struct format *result, const uint64_t shape[3],
                                     number_kind *kind_a, number_kind *kind_b)
{
    struct trial trial = {
        .product = {.format = format, .result = result, .rows = shape[0], .inner = shape[1], .columns = shape[2]}};
    trial.a = matrix_new(&trial.product.a, format, shape[0], shape[1], kind_a);
    trial.b = matrix_new(&trial.product.b, format, shape[1], shape[2], kind_b);
    trial.computed = matrix_new(&trial.product.computed, result, shape[0], shape[2], kind_a);
    trial.elements = calloc(shape[0] * shape[2] + 1, sizeof *trial.elements);
    assert_non_null(trial.elements);
    return trial;
}

static inline void trial_free(struct trial *trial)
{
    free(trial->a);
    free(trial->b);
    free(trial->computed);
    free(trial->elements);
}

static inline double number_in(const struct format *format, const struct matrix *matrix, uint64_t i, uint64_t k)
{
    return held_number(format, matrix->numbers, i * matrix->row_step + k * matrix->column_step);
}

static inline void set_number(const struct format *format, void *numbers, const struct matrix *matrix, uint64_t i,
                              uint64_t k, double value)
{
    held_set(format, numbers, i * matrix->row_step + k * matrix->column_step, value);
}

/* A small one of the kind, or with B of another. */
static inline struct trial any_trial(const struct format *format, const struct format *result, size_t kind)
{
    const uint64_t shape[] = {1 + below(12), below(41), 1 + below(12)};
    return trial_new(format, result, shape, kinds[kind], kinds[below(2) ? kind : below(COUNT_OF(kinds))]);
}

/* ---- two opinions ---- */

static inline bool same_element(const struct exact_element *a, const struct exact_element *b)
{
    return a->kind == b->kind && same_double(a->nearest, b->nearest) && same_double(a->ulp, b->ulp) &&
           same_double(a->abs_above, b->abs_above) && same_double(a->sum_abs_above, b->sum_abs_above) &&
           same_double(a->error, b->error);
}

/* Of all elements; prints the first. */
static inline uint64_t differing_elements(const struct matrix_product *product, const struct exact_element *expected,
                                          const struct exact_element *found)
{
    uint64_t differ = 0;
    for (uint64_t e = 0; e < product->rows * product->columns; e++)
        if (!same_element(&expected[e], &found[e]) && differ++ == 0)
            print_error("element %llu of %llu x %llu x %llu, %s products to %s: nearest %a, ulp %a, |s| %a, sum of "
                        "magnitudes %a, error %a; found %a, %a, %a, %a, %a\n",
                        (unsigned long long)e, (unsigned long long)product->rows, (unsigned long long)product->inner,
                        (unsigned long long)product->columns, product->format->name, product->result->name,
                        expected[e].nearest, expected[e].ulp, expected[e].abs_above, expected[e].sum_abs_above,
                        expected[e].error, found[e].nearest, found[e].ulp, found[e].abs_above, found[e].sum_abs_above,
                        found[e].error);
    return differ;
}

#endif
