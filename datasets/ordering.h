/* order=WORD in a data spec: the same numbers in another order.
 *
 *   given                  as the family or the file has them
 *   reversed               the last one first
 *   ascending descending   by value
 *   magnitude              by |x|, the smallest first
 *   magnitude_descending   by |x|, the largest first
 *   psum                   each time the number that leaves the smallest |partial sum| (Higham 1993)
 *   bit_reversed           x_i at the place whose binary digits are those of i, read backwards
 *   shuffled:SEED          one of all orders, each as likely; SEED from 0
 *
 * -0 stands before +0 and, by |x|, a positive number before its negative; NaNs stand at the end.
 */
#ifndef ULPSCOPE_ORDERING_H
#define ULPSCOPE_ORDERING_H

#include "../src/status.h"

#include <stdint.h>

enum ordering_kind {
    GIVEN,
    REVERSED,
    ASCENDING,
    DESCENDING,
    MAGNITUDE,
    MAGNITUDE_DESCENDING,
    PSUM,
    BIT_REVERSED,
    SHUFFLED,
};

struct ordering {
    enum ordering_kind kind;
    uint64_t seed; /* of SHUFFLED */
};

enum { ORDERING_TEXT = 48 };

/* NULL, or what is wrong and what was expected. */
const char *ordering_read(const char *text, struct ordering *ordering);
void ordering_write(struct ordering ordering, char text[ORDERING_TEXT]);

/* Puts n numbers of binary32 in that order.  NOT_MEASURED when memory is short. */
enum status ordering_apply(struct ordering ordering, float *x, uint64_t n);

#endif
