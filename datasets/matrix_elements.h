/* What the families of matrices share (matrices/): pairs A, B, n x n, whose product tells how it was computed.
 *
 * Elements are formulas of (seed, trial, family, i, k), as those of vectors are (random.h), so that one of them can be
 * made alone, and none depends on threads.
 */
#pragma once

#include "generator.h"
#include "kernels/sum_format.h"

/* A size is a power of two, so that halves have halves. */
enum { MATRIX_SIZE_LEAST = 16, MATRIX_SIZE_MOST = 4096, BLOCK = 8 };

/* Of the families that scale: exponents of scales go from -range to range. */
enum { MATRIX_RANGE, MATRIX_SHIFT, MATRIX_STRIDE }; /* call->whole; the last two are random, stride is odd */

/* Results of products are below two to this: of what is added and of what it is rounded to. */
int matrix_overflow_exponent(const struct sum_format *formats);

/* For `prepare`: draws shift and stride.  BAD_INPUT where n is no power of two. */
enum status matrix_prepare(struct generator_call *call, const char *family, int range);

/* Both matrices, row after row, as format_held() has numbers of the call's format; the call is prepared. */
void matrices_fill(const struct generator *family, const struct generator_call *call, void *a, void *b);

#define MATRICES(id) extern const struct generator generator_##id;
#include "generators.def"

#define GRADING "Demmel, Li, Langou, Pereira, Gates, Rubio Gonzalez, How to grade the accuracy of the BLAS (2024), "

/* What all of them have. */
#define MATRIX_FAMILY                                                                                                  \
    .parameters = (const struct parameter[]){{0}}, .least_n = MATRIX_SIZE_LEAST, .most_n = MATRIX_SIZE_MOST,           \
    .random = true, .prepare = prepare

/* Random numbers of A, of B, of what both share, and exponents of A and of B: each part has n n of its own. */
enum matrix_part { PART_A, PART_B, PART_SHARED, PART_EXPONENTS };
uint64_t matrix_place(const struct generator_call *call, enum matrix_part part, uint64_t row, uint64_t column);

/* In [1, 2), with every bit of the format. */
double matrix_in_one_binade(const struct generator_call *call, uint64_t place);

/* `count` scales, spread evenly from 2^range down to 2^-range, in random order: the exponent of number k of them. */
int matrix_exponent(const struct generator_call *call, uint64_t k, uint64_t count);

/* 2^range and 2^-range times [1, 2) are normal numbers of the format. */
int matrix_range_of_numbers(const struct format *format);

/* The same, and that the product of two numbers of the largest scale, n times, and 4 n^3 times as much in the sums of
 * Strassen, stays finite; 0 where no range does. */
int matrix_range_of_products(const struct generator_call *call);
