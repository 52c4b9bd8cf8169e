/* What a matrix product was computed in, from its results alone: fused blocks as tensor cores have them, fused
 * multiply-adds, or products and additions that are rounded each.
 *
 *   blocks of `terms` products are aligned to the largest exponent (E, at least `floor`), keep `fraction` bits there
 * and are added exactly; what a block comes to has `output` bits behind the first.  Blocks are chained, each taking
 * what those before it came to as one term more, or begin at 0 and are added: in the order of their places, or
 * pairwise.
 *
 * The model in kernels/fused.h, and more: five roundings, normalised products, factors that are rounded first.  A
 * multiply-add is a block of one whose alignment loses nothing; RN(a b) added to a sum is a block of one that begins
 * at 0.  Nothing of kernels/fused* is used here, so that these can be asked like any other product.
 */
#pragma once

#include "kernels/sum_format.h"
#include "src/base/base.h"

#include <math.h>
#include <sys/param.h>

enum way { TOWARD_ZERO, DOWN, UP, NEAREST_EVEN, NEAREST_AWAY, WAYS };
extern const char *const way_words[WAYS];

enum addition { ADDS_NEAREST, ADDS_TRUNCATED, ADDS_COMPENSATED, ADDITIONS };

/* The exponent of a subnormal factor: the least normal one, its own; or it counts as 0. */
enum subnormals { LEAST_EXPONENT, OWN_EXPONENT, FLUSHED, SUBNORMALS };

/* What becomes of a factor before it is multiplied. */
struct input {
    const char *words;
    const struct format *format; /* NULL: as it is stored */
    enum way way;
};
extern const struct input arithmetic_inputs[];
enum { INPUTS = 7 };

enum { ALIGNS_EXACTLY = 110 }; /* a fraction that loses nothing which a sum of two could show */

/* Results of binary64: blocks are of one there, factors as they are stored, and products have no floor. */
static inline bool arithmetic_is_wide(const struct sum_format *formats)
{
    return formats->result->precision > FORMAT_BINARY32.precision;
}

struct arithmetic {
    int input;    /* arithmetic_inputs[] */
    int fraction; /* F, or ALIGNS_EXACTLY */
    enum way alignment;
    bool normalised; /* the exponent of a product is its own, not the sum of its factors' */
    enum subnormals subnormals;
    int floor, output;
    enum way rounding;      /* of what a block comes to */
    enum addition addition; /* of what is not chained */
    int register_bits;      /* fraction bits of such an addition */
    bool rounded_parts;     /* the parts of the last level are rounded to the result's format first */
    bool negative_zero;     /* what rounds to 0 from below is -0 */
};

/* Parameters that products may not show. */
enum shown { FRACTION, ALIGNMENT, SUBNORMAL_FACTORS, FLOOR, OUTPUT, ROUNDING, ZERO };
static inline int arithmetic_value(const struct arithmetic *of, enum shown shown)
{
    const int values[] = {[FRACTION] = of->fraction,
                          [ALIGNMENT] = (int)of->alignment,
                          [SUBNORMAL_FACTORS] = (int)of->subnormals,
                          [FLOOR] = of->floor,
                          [OUTPUT] = of->output,
                          [ROUNDING] = (int)of->rounding,
                          [ZERO] = of->negative_zero};
    return values[shown];
}

/* The order along k: blocks of sizes[0] products in groups of sizes[1], these in groups of sizes[2], ...; the last is
 * all.  Groups go by places: places[q] is the product that is q-th. */
enum { LEVELS_MOST = 16 };
struct grouping {
    uint64_t terms; /* K */
    uint32_t *places;
    int levels;
    uint64_t sizes[LEVELS_MOST];
    bool chained; /* the blocks of a sizes[1] */
};

/* An element: a and b are `terms` factors, in the order of k, all 0 before the place `first`.  C = A B + C: the
 * first group of level `entry` begins with c, the element of C; behind the last level the sum is added to c in a
 * register, rounded to nearest, and one further what the sum was rounded to. */
struct element {
    const struct sum_format *formats;
    const double *a, *b;
    uint64_t first;
    double c;
    int entry; /* 0: C = A B */
};
double arithmetic_element(const struct arithmetic *of, const struct grouping *grouping, const struct element *element);

/* C = A B, or A B + C, rows x terms times terms x rows, row after row; in held formats as struct graded has them. */
struct asked {
    const struct sum_format *formats;
    enum status (*product)(const struct asked *asked, uint64_t rows, uint64_t terms, const void *a, const void *b,
                           void *c, bool adds);
    const void *context;
    uint64_t terms; /* K, a power of two of at least 16: half as many are asked for too */
    uint64_t rows;  /* of a product, and columns: one that a library computes as it does large ones; at least 2 */
    uint64_t seed;
    bool adds; /* it takes C */
};

enum { FRESH_CLOSE, FRESH_SPREAD, FRESH_WIDE, FRESH_ADVERSARIAL, FRESH_KINDS };
extern const char *const fresh_words[FRESH_KINDS];

struct arithmetic_answer {
    const struct asked *asked;
    const char *failed; /* at which step no model was left; NULL: there is one */
    bool has_grouping;
    struct grouping grouping, half; /* for K and K / 2; half.levels is 0: no order was seen */
    struct arithmetic *left;        /* models that products did not tell apart; the first is meant */
    size_t left_count;
    int entry; /* of C, the first that has all bits; 0: it was not asked for */
    uint64_t questions;
    uint64_t rows[FRESH_KINDS], held[FRESH_KINDS]; /* fresh ones, and those that have the bits of the first */
};

/* Why products of these formats are not asked; NULL: they are. */
const char *arithmetic_refusal(const struct sum_format *formats);

/* The status of product(), or NOT_MEASURED where memory is short.  The caller frees the answer, whatever comes. */
enum status arithmetic_find(const struct asked *asked, struct arithmetic_answer *answer);
void arithmetic_free(struct arithmetic_answer *answer);
