/* Matrix products by real methods, for lessons.
 *
 *   struct lesson_matrices of;
 *   TRY(lesson_matrices_made("uniform:low=-1", &FORMAT_BINARY32, 60, 128, 60, &of));
 *   TRY(lesson_multiply("matmul:plain/tile_16", &of, c));                               c: 60 x 60
 */
#pragma once

#include "lesson_tools.h"

/* A: rows x inner, B: inner x columns, row after row. */
struct lesson_matrices {
    uint64_t rows, inner, columns;
    uint64_t a_leading; /* numbers from one row of A to the next: `inner`, or more */
    struct lesson_data a, b;
};

/* Both of a family with a parameter, "uniform:low=-1", in a format that binary32 holds; A of seed 1 and B of seed 2. */
enum status lesson_matrices_made(const char *family, const struct format *format, uint64_t rows, uint64_t inner,
                                 uint64_t columns, struct lesson_matrices *of);
void lesson_matrices_free(struct lesson_matrices *of);

/* C = A B, row after row, by the replay of this method.  Complains and returns BAD_INPUT where there is none that takes
 * the format and gives numbers that binary32 holds. */
enum status lesson_multiply(const char *method, const struct lesson_matrices *of, float *c);

/* The mean of (c - s) / s over the elements of a product of positive numbers, whose C is binary32. */
enum status lesson_signed_error(const char *method, const struct lesson_matrices *of, double *mean);
