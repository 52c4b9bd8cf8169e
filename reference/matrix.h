/* Exact matrix products: each element of C = A B from its exact sum of exact products, and how far from it a
 * computed C is.
 *
 *   {1 2} {5 6}   {19 22}   computed 50.5 for the last:  nearest 50, error 0.5, sum_abs_above 50
 *   {3 4} {7 8} = {43 50}
 *
 * What an element gets is what exact_dot of exact.h says of its row and column, bit for bit.  Every product is added as
 * an integer, whatever the data are: there is no fast path and no slow one (docs/reference.md).
 */
#pragma once

#include "exact.h"

/* Element (i, k) is numbers[i row_step + k column_step]: a row-major matrix has the steps {leading dimension, 1}, a
 * column-major one, or a transposed, {1, leading dimension}. */
struct matrix {
    const void *numbers;
    uint64_t row_step, column_step;
};

/* The matrix from element (i, k) on; of none none. */
static inline struct matrix matrix_from(struct matrix matrix, const struct format *format, uint64_t i, uint64_t k)
{
    if (matrix.numbers)
        matrix.numbers =
            (const char *)matrix.numbers + (i * matrix.row_step + k * matrix.column_step) * format_held(format)->bytes;
    return matrix;
}

/* B on a GPU, for products that have the same one, as parts of a product do; {0} before the first of them. */
struct matrix_kept {
    void *b;
    unsigned first, last; /* what digits_reach_of() says of it */
};

struct matrix_product {
    const struct format *format;   /* of the numbers of A and B, which are as format_held() has them; A and B may have
                                      different formats where both are held in binary32 */
    const struct format *result;   /* of C */
    uint64_t rows, inner, columns; /* A is rows x inner, B inner x columns */
    struct matrix a, b;
    struct matrix computed;   /* to be judged, as format_held(result) has its numbers; numbers == NULL: there is none */
    struct matrix_kept *kept; /* NULL: nothing is kept */
};

/* elements: rows x columns, row after row.  A row of C is independent of the others: who has no room for all of them
 * asks for some rows at a time.  workers: threads, 0: the caller's own; elements do not depend on them.  NOT_MEASURED:
 * memory is short. */
enum status exact_matrix(const struct matrix_product *product, unsigned workers, struct exact_element *elements);
