/* Exact matrix products on a GPU, and held to the host's: what matrix.h computes, bit for bit, in a thousandth of
 * the time.  The two share no code (docs/reference.md).
 */
#pragma once

#include "matrix.h"

/* As exact_matrix, on the GPU that is the current one of this thread; all pointers are to the host's memory.  A product
 * that is too large for the GPU's memory is computed in parts.  NO_DEVICE: there is no GPU, or the build has no CUDA.
 * NOT_MEASURED: memory is short, for an element even, or the GPU failed. */
enum status exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements);

/* Frees what products kept. */
void matrix_forget(struct matrix_kept *kept);

/* The same, and drawn rows and columns of C once more by exact_matrix, with so many workers: one of 256 each, and of
 * fewer than 1024 four, or all.  The seed draws them: one row of each 256, so that all parts of C are seen.
 * NOT_MEASURED: also where an element differs in any bit; its place and both values are said. */
enum status exact_matrix_checked(const struct matrix_product *product, uint64_t seed, unsigned workers,
                                 struct exact_element *elements);

/* The same in steps, for a product whose elements are never all in memory: what is drawn, of a product that has
 * elements, with copies of its numbers (NULL: memory is short); the GPU's elements of some rows of C, of all rows in
 * turn, while the host multiplies, on another thread; and then whether they are the same. */
struct matrix_check *matrix_check_new(const struct matrix_product *product, uint64_t seed);
void matrix_check_free(struct matrix_check *check);
void matrix_check_note(struct matrix_check *check, uint64_t first, uint64_t count,
                       const struct exact_element *elements);
enum status matrix_check_multiply(struct matrix_check *check, unsigned workers);
enum status matrix_check_compare(const struct matrix_check *check);

/* How many rows, or columns, of so many are drawn. */
uint64_t exact_lines_checked(uint64_t lines);
