/* Families of data x accumulators: who defeats whom.
 *
 * A sum is defeated where the exact sum is a number in the format's range and the computed one has a relative error of
 * 1e-3 or more: fewer than three digits.  Where s is 0, any other number is.  Sums of data with infinities or NaN, and
 * those beyond the largest number, are passed over: there is no digit to be right.
 */
#ifndef ULPSCOPE_MATRIX_H
#define ULPSCOPE_MATRIX_H

#include "src/results/results.h"

#define MATRIX_DEFEAT 1e-3

/* What became of the sums of one family by one method, or by several. */
struct matrix_cell {
    uint64_t sums;           /* that were judged */
    double error;            /* the largest relative error; INFINITY where `worst` says more than a number */
    enum result_class worst; /* CLASS_EXACT, CLASS_FINITE, CLASS_ZERO_SUM, CLASS_OVERFLOW or CLASS_NAN */
    size_t methods, defeated;
};

/* A part of a name: the family of a data spec is what stands before its first ':', the accumulator of a method what
 * stands before its '/'. */
struct matrix_word {
    const char *text;
    size_t length;
};

struct matrix {
    struct matrix_word *families, *accumulators; /* in the order of the study */
    size_t family_count, accumulator_count;
    const struct study_record *study;
    struct matrix_cell *of_method; /* family_count x study->method_count */
};

enum status matrix_make(const struct results *results, struct matrix *matrix);
void matrix_free(struct matrix *matrix);

/* All methods of the accumulator together. */
struct matrix_cell matrix_cell_of(const struct matrix *matrix, size_t family, size_t accumulator);

#endif
