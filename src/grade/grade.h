/* Grading a matrix product: four tests, each on its own matrices (datasets/matrices/), at sizes that double, many
 * samples of each.  Every element is held against the exact one (reference/matrix.h).
 *
 *   test     asks                                                         of an element
 *   zeros    is what is 0 by its zeros 0?                                 computed = 0
 *   scales   does it keep its digits over the exponents of the format?    |error| <= n u (|A| |B|)_ij
 *   blocks   are there digits at all, as in Strassen's method?            |error| <= its bound
 *   growth   grade A: do errors grow at most linearly, and balance?       |error| <= n u (|A| |B|)_ij, slope, sign
 *
 * n u (|A| |B|)_ij is a theorem for products and additions that are rounded to nearest, in any order (docs/matmul.md).
 */
#pragma once

#include "datasets/matrix_elements.h"
#include "graded.h"

enum { ZEROS, SCALES, BLOCKS, GROWTH, GRADE_TESTS };
extern const struct generator *const grade_families[GRADE_TESTS];

/* Sizes: 16 to 4096. */
enum { GRADE_SIZES = 9, GRADE_SAMPLES_MOST = 1000 };

struct grade_request {
    const struct graded *graded;
    uint64_t size_most, samples, seed; /* sizes: 16, 32, ... */
    unsigned workers;
};

/* An element. */
struct grade_element {
    uint64_t n, sample, i, j;
    double computed, nearest; /* the exact one, rounded to the format of the result */
    double ratio;             /* |error| / (u (|A| |B|)_ij); infinite where that is 0 / 0 or not a number */
};

struct grade_size {
    uint64_t n;
    const char *refused; /* why it tells nothing, and nothing was computed; NULL: it does */
    double limit;        /* of the ratio */
    uint64_t judged, broken;
    uint64_t not_zero; /* of those: computed, and 0 by all of its products */
    uint64_t rounded;  /* that have an error */
    uint64_t toward_0; /* of those: |computed| is too small */
    struct grade_element worst;
};

/* Ways to fail. */
enum { GRADE_LIMIT = 1, GRADE_SLOPE = 2, GRADE_SIGN = 4 };

struct grade_test {
    const struct generator *family;
    struct grade_size sizes[GRADE_SIZES];
    bool told; /* some size was judged */
    unsigned failed;
    double slope;               /* of growth: see docs/matmul.md; NaN: fewer than two sizes */
    uint64_t rounded, toward_0; /* of growth: those that its sign is taken from */
};

struct grade {
    const struct grade_request *request;
    size_t size_count;
    struct grade_test tests[GRADE_TESTS];
};

/* A pair of matrices that are asked for, prepared.  BAD_INPUT where n is no power of two. */
enum status grade_call(int test, const struct sum_format *formats, uint64_t n, uint64_t seed, uint64_t sample,
                       struct generator_call *call);

/* NOT_MEASURED: memory is short, or the product was not computed. */
enum status grade_make(const struct grade_request *request, struct grade *grade);

bool grade_passed(const struct grade *grade);

/* The size whose worst element says most: the smallest that broke its limit, or else what came nearest to it.  NULL:
 * none was judged. */
const struct grade_size *grade_witness(const struct grade_test *test);

/* What the product is, as far as the tests tell, in a few words. */
const char *grade_conclusion(const struct grade *grade);

/* Schema ulpscope-grade/1, described in docs/matmul.md. */
enum status grade_write_json(const struct grade *grade, const char *path);

/* One page for people on stdout. */
void grade_print(const struct grade *grade, bool colour);
