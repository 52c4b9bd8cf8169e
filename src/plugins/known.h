/* Numbers of which everybody knows what their sum, dot product or product is: whatever the order of additions.
 *
 *   integers   their partial sums are all numbers of the format; of n terms four are as large as fits, with digits down
 *              to the last, so that whoever computes in a narrower format is wrong; the first and the last are not 0,
 *              and one between them is -0, which ends nothing
 *   tiny       the same, times the least number: a result is 0 where subnormals are flushed
 *   huge       the same, just below overflow in any order
 */
#pragma once

#include "kernels/method.h"

enum content {
    INTEGERS,
    TINY,
    HUGE_ONES,
    ONE_ARRAY_TWICE, /* integers, as the first and as the second array: at one address */
    WITH_NAN,        /* integers, and somewhere among them a NaN: no number is the result */
    WITH_INFINITY,   /* likewise */
    OVERFLOWING,     /* the largest number twice and its opposite, which overflows in some orders; of more than three
                        numbers what overflows in TwoSum alone */
    RANDOM_REALS,    /* of which no result is known; the same again */
    CONTENTS
};

struct known {
    const struct method *method;
    struct shape shape;
    enum content content;
    uint64_t state;  /* of the random numbers: from 1 on */
    bool is_turned;  /* integers of the same state, but for the sign of each row's last */
    void *x, *y;     /* y is x of one array twice */
    double *results; /* exact; of the last four contents nobody knows them */
    double *allowed; /* of a result for each number: what it may be off */
};

/* Whether there are such numbers of the method's operation and format. */
bool known_is_there(const struct method *method, enum content content);

/* Whether result e is that of a sound method: its bits; of a statistic, whose algorithms round differently, what no
 * rounding of them exceeds, which is nothing where the terms are many or the format has few bits. */
bool known_is_right(const struct known *known, uint64_t e, double value);

/* Method, shape, content and state are given.  Free it also after a failure. */
enum status known_make(struct known *known);
void known_free(struct known *known);
