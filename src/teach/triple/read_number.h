/* Text to a number of any format, rounded once.
 *
 *   0.1, binary16     0x1.998p-4, rounded        65520, binary16     refused: it rounds to beyond the largest
 */
#ifndef ULPSCOPE_READ_NUMBER_H
#define ULPSCOPE_READ_NUMBER_H

#include "src/base/fp.h"

#include <stdbool.h>

/* All that a sum can be looked at in, from the widest on; NULL at the end. */
extern const struct format *const looked_at_formats[];

/* Takes what read_double (src/base/number.h) takes, and returns NULL or the end of a sentence, as that does.  *rounded:
 * the format has no such number, and the nearest was taken; underflow is such a case too. */
const char *read_number(const char *text, const struct format *format, double *value, bool *rounded);

#endif
