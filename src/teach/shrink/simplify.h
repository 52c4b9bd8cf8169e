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
 * taken away again (shrink.h), until neither changes anything: the last witness is 1-minimal as it stands.
 */
#pragma once

#include "shrink.h"

/* Numbers of longer witnesses are changed all at once only: nobody reads so many. */
enum { EACH_MOST_N = 256 };

/* Changes numbers, which stay numbers of the format, and takes elements away. */
enum status simplify(struct question *question, struct shrunken *witness);

/* Significant bits of a number: 1 of a power of two, 53 at most, 0 of 0; 54 of an infinity or a NaN. */
int significant_bits(double x);
