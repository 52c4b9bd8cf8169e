/* A witness of nicer numbers: as few significant bits as it takes, no sign, exponents close together, integers.
 *
 *   0x1.93f2aep-1, 0x1.0c4p-12, 0x1.7792p-13   are   16777216, 1, 1
 *
 * One step after another is tried, and taken when the answer (question.h) is still yes.  Each makes the witness
 * simpler, which is: less of the first of these that changes,
 *
 *   significant bits of all numbers; a 0 has none
 *   those of them that are 1
 *   negative numbers
 *   the range of exponents
 *   how far below the largest exponent the others are
 *   how far the last bit of all is from 2^0, to which all numbers are scaled
 *
 * and as each of these is an integer from 0 on, the steps come to an end.  They may make elements needless; these are
 * taken away again (shrink.c), until neither changes anything: the last witness is 1-minimal as it stands.
 */
#pragma once

#include "question.h"

/* The shortest numbers of a data set of which a question (question.h) is still answered yes, by taking elements
 * away: delta debugging.
 *
 *   do plain/serial and plain/tree_two_pass differ? of uniform:n=10000     x4112, x4113, x4114 are enough
 *
 * Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE 28 (2002) 183: ddmin halves the
 * data, and then takes away ever smaller pieces.  Its two steps, "reduce to subset" and "reduce to complement", are
 * ordered here by what a sum costs, which grows with n:
 *
 *   windows   64 pieces of neighbours, spread over the data, of 2 elements, of 3, 5, 8, 12, ...: the first piece on
 *             which it is answered yes is kept.  Two orders differ on almost any 3 to 10 numbers, so that a million
 *             are mostly gone after some hundred small sums.
 *   removals  a half of what is left is taken away, if the answer is yes without it, a quarter, ..., a single
 *             element; from the start until a whole round takes nothing away.  The last round then has shown that the
 *             set is 1-minimal: without any one of its elements the answer is no.
 *   pairs     the same for any two elements, while few are left.  If there are two, the removals start once more.
 *
 * Every step that is taken shortens the data, so that it ends; that it ends in time is what most_additions is for.
 */

/* A part of the data, shorter or simpler: a witness, where the answer is yes of it. */
struct shrunken {
    uint64_t n;      /* elements */
    uint64_t width;  /* numbers of each: 2, one behind the other, of two vectors */
    uint64_t *index; /* of an element in the data */
    double *was;     /* n * width numbers, there */
    double *x;       /* what is added, or multiplied: numbers of the data's format */
    bool minimal;    /* verified: without any one of these numbers the answer is no */
};

/* All elements, to be shrunk.  The caller calls shrunken_free.  NOT_MEASURED when memory is short. */
enum status shrunken_of(const struct operands *elements, struct shrunken *witness);
enum status shrunken_copy(const struct shrunken *from, struct shrunken *to);
void shrunken_free(struct shrunken *witness);

/* One of its vectors as format_held() has the numbers, in *x, which is allocated.  NOT_MEASURED when memory is short.
 */
enum status shrunken_held(const struct shrunken *witness, const struct format *format, uint64_t vector, void **x);

/* The answer is yes of the elements before and afterwards. */
enum status shrink(struct question *question, struct shrunken *witness);

/* Takes away each element, one after another, and sets `minimal`, where the sums may be asked for. */
enum status shrink_verify(struct question *question, struct shrunken *witness);

/* Numbers of longer witnesses are changed all at once only: nobody reads so many. */
enum { EACH_MOST_N = 256 };

/* Changes numbers, which stay numbers of the format, and takes elements away. */
enum status simplify(struct question *question, struct shrunken *witness);

/* Significant bits of a number: 1 of a power of two, 53 at most, 0 of 0; 54 of an infinity or a NaN. */
int significant_bits(double x);
