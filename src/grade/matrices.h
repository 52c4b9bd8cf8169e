/* Matrices for grading: pairs A, B, n x n, whose product tells how it was computed.
 *
 * Elements are formulas of (seed, sample, family, i, k), as those of generators are (datasets/random.h), so that one of
 * them can be made alone, and none depends on threads.
 */
#ifndef ULPSCOPE_MATRICES_H
#define ULPSCOPE_MATRICES_H

#include "datasets/generator.h"
#include "kernels/sum_format.h"

/* A size is a power of two, so that halves have halves. */
enum {
    MATRIX_SIZE_LEAST = 16,
    MATRIX_SIZES = 9,
    MATRIX_SIZE_MOST = MATRIX_SIZE_LEAST << (MATRIX_SIZES - 1), /* 4096 */
    BLOCK = 8,
};

/* One pair that is asked for. */
struct matrix_call {
    struct generator_call random; /* n, seed, trial (the sample), family and format */
    int range;                    /* exponents of scales go from -range to range */
    uint64_t shift, stride;       /* random; stride is odd */
};

struct matrix_family {
    const char *id;
    const char *formula; /* of A and B */
    const char *source;  /* who published it */
    const char *exact;   /* what the product is */
    const char *tells;   /* what its errors say */

    /* Exponents that scales reach, where the family scales; NULL: it does not. */
    int (*range)(const struct sum_format *formats, uint64_t n);

    /* Why a product in these formats tells nothing at this n: the end of a sentence.  NULL: it does. */
    const char *(*refuses)(const struct sum_format *formats, uint64_t n);

    /* Elements (i, k) of A and (k, j) of B, of the stored format. */
    double (*a)(const struct matrix_call *call, uint64_t i, uint64_t k);
    double (*b)(const struct matrix_call *call, uint64_t k, uint64_t j);
};

enum { ZEROS, SCALES, BLOCKS, GROWTH, MATRIX_FAMILIES };
extern const struct matrix_family matrix_families[MATRIX_FAMILIES];

/* n: a power of two from MATRIX_SIZE_LEAST to MATRIX_SIZE_MOST. */
struct matrix_call matrix_call_of(const struct matrix_family *family, const struct sum_format *formats, uint64_t n,
                                  uint64_t seed, uint64_t sample);

/* Both matrices, row after row, as format_held() has numbers of the stored format. */
void matrices_fill(const struct matrix_family *family, const struct matrix_call *call, void *a, void *b);

/* Of BLOCKS: errors of a Strassen-like product whose recursion ends at blocks of at least BLOCK, in u (|A| |B|)_ij. */
double matrix_strassen_bound(uint64_t n);

#endif
