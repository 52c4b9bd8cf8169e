/* Text to the number of a format that is nearest to it: one rounding, ties to even, among the subnormals too.
 *
 *   0x1.098d65p-128, binary32     0x1.098d68p-128; strtof of glibc 2.36 gives 0x1.098d6p-128
 *   0.1, binary16                 0x1.998p-4
 */
#pragma once

#include "fp.h"

/* *text is a digit, a point or a sign; *end is what follows the number.  Out of range it is infinite; a zero keeps its
 * sign.  *side (NULL: nobody asks, which is three times as fast) is the sign of text - value, 0 when they are equal. */
double nearest_to_text(const char *text, const struct format *format, char **end, int *side);
