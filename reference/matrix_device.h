/* Exact products of matrices on a GPU, and held to the host's: what matrix.h computes, bit for bit, in a thousandth of
 * the time.  The two share no code (docs/reference.md).
 */
#ifndef ULPSCOPE_MATRIX_DEVICE_H
#define ULPSCOPE_MATRIX_DEVICE_H

#include "matrix.h"

/* As exact_matrix, on the GPU that is the current one of this thread; all pointers are to the host's memory.  A product
 * that is too large for the GPU's memory is computed in parts.  NO_DEVICE: there is no GPU, or the build has no CUDA.
 * NOT_MEASURED: memory is short, for an element even, or the GPU failed. */
enum status exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements);

/* The same, and drawn rows and columns of C once more by exact_matrix, with so many workers: one of 256 each, and of
 * fewer than 1024 four, or all.  The seed draws them: one row of each 256, so that all parts of C are seen.
 * NOT_MEASURED: also where an element differs in any bit; its place and both values are said. */
enum status exact_matrix_checked(const struct matrix_product *product, uint64_t seed, unsigned workers,
                                 struct exact_element *elements);

/* How many rows, or columns, of so many are drawn. */
uint64_t exact_lines_checked(uint64_t lines);

#endif
