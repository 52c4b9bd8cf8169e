/* order=WORD in a data spec: the same numbers in another order.
 *
 *   given                  as the family or the file has them
 *   reversed               the last one first
 *   ascending descending   by value
 *   magnitude              by |x|, the smallest first
 *   magnitude_descending   by |x|, the largest first
 *   psum                   each time the number that leaves the smallest |partial sum| (Higham 1993)
 *   bit_reversed           x_i at the place whose binary digits are those of i, read backwards
 *   shuffled:SEED          one of all orders, each as likely; SEED from 0; the same in every trial
 *   shuffled:A..B          those of the seeds A to B in turn: trial K has that of A + K, and begins again after B
 *
 * Of numbers that compare equal, ascending has -0 before +0, and magnitude has +0 before -0 and x before -x; the two
 * descending ones have them the other way round.  NaNs stand at the end of all four; psum has what is not finite there,
 * -inf, inf, NaN.
 */
#pragma once

#include "parameter.h"

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
    uint64_t seed, further; /* of SHUFFLED: seed ... seed + further */
};

enum { ORDERING_TEXT = 64, ORDERINGS_MOST = 1000000 };

/* As they are written, those of SHUFFLED the last; NULL at the end. */
extern const char *const ordering_words[];

/* False, and the rest of the sentence "order=x ..." in `wrong`, when the text is none. */
bool ordering_read(const char *text, struct ordering *ordering, char wrong[WRONG_TEXT]);
void ordering_write(struct ordering ordering, char text[ORDERING_TEXT]);

/* That of one trial. */
struct ordering ordering_of_trial(struct ordering ordering, uint64_t trial);

/* Puts n numbers, as format_held() has them, in that order, the first of several; in place but for psum and
 * bit_reversed.  NOT_MEASURED when memory is short. */
enum status ordering_apply(struct ordering ordering, const struct format *format, void *x, uint64_t n);

/* order=psum: each time the number that leaves the smallest |partial sum|. */

/* `sorted` by value, all finite, as format_held() has them; n log n steps.  Partial sums are of binary64.  Of two that
 * leave as much, the smaller comes first.  NOT_MEASURED when memory is short. */
enum status psum_order(const struct format *format, void *sorted, uint64_t n);
