/* The sum of a row's exponentials, enclosed, and values made of it: quotients, logarithms.
 *
 *   {0, -1, 0}     M = 0, maxima = 2, others = e^-1, D = 2 + e^-1
 *
 * Of numbers repeated to length n, x are those of a period. */
#pragma once

#include "exact.h"
#include "exp_integer.h"
#include "scaled.h"

#include <float.h>

struct enclosure {
    mpfr_t low, high;
};

/* What all results have in common. */
struct exponentials {
    const struct format *format;
    struct exact_how how;
    const void *x;
    uint64_t period, n;
    uint64_t unmasked, maxima;     /* x but -inf; those that are M */
    double largest, second, least; /* M; the largest x below it, -inf if there is none; the least x but -inf */
    bool is_defined;
    mpfr_prec_t bits;              /* of `others` */
    struct enclosure others;       /* D - maxima: 0 where all are equal, else > 0 */
    struct scaled log, reciprocal; /* L and 1/D */
    struct moments moments;
};

/* Ended by exponentials_end(), also after a failure. */
enum status exponentials_begin(struct exponentials *of, const struct format *format, struct exact_how how,
                               const void *x, uint64_t period, uint64_t n);
void exponentials_end(struct exponentials *of);

static inline bool has_others(const struct exponentials *of)
{
    return of->unmasked > of->maxima;
}

/* z = x - M, exactly; it is initialised. */
void exponentials_offset(const struct exponentials *of, double x, mpfr_t z);

/* a + times L, or its negative; of a quotient e^a / D. */
struct asked {
    bool is_quotient;
    mpfr_t a, times;
};

/* Of more than one number that are not all equal, or of a logarithm: rounded to odd.  Deepens `others`. */
void exponentials_value(struct exponentials *of, const struct asked *asked, mpfr_t result);
