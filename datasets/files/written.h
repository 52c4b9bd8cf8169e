/* Numbers as a text says them: decimals, integers of any size, hexadecimal floats and fractions; none is rounded.
 *
 *   0.1     1e-400     9007199254740993     0x1.8p+3     -1/3
 *
 * Sums of them are exact, too: an integer for each power of ten and of two, so that a number of 17 digits costs an
 * addition of 128 bits, where one of GMP's fractions takes 50 times as long.
 */
#pragma once

#include "src/base/base.h"

#include <gmp.h>
#include <mpfr.h> /* behind gmp.h */

/* Bits of a number's numerator and denominator, and of the denominator that all fractions have in common. */
enum { WRITTEN_BITS_MOST = 1000000 };

struct written {
    bool negative, is_zero, is_fraction;
    bool is_integer;      /* digits alone */
    int base;             /* of the exponent: 10, or 2 with digits of 16 */
    const char *digits;   /* in the text, with their point; of a fraction all of it but the sign */
    uint64_t count;       /* of digits, from the first that is not 0 */
    int64_t exponent;     /* of the last: digits base^exponent */
    uint64_t significand; /* the digits, where they are so few that it is_short */
    bool is_short;
};

/* The whole text, which has to last.  NULL, or what is wrong with it as the end of a sentence. */
const char *written_read(const char *text, struct written *number);

/* The number of binary64 that is nearest, ties to even: 40 ns where MPFR takes 500.  false: it has too many digits for
 * that, or too large an exponent. */
bool written_nearest(const struct written *number, double *value, bool *is_exact);

/* A sum; all zeros is that of none. */
struct written_sum {
    struct powers {
        void *totals; /* of base^least and those that follow, `room` of them */
        int64_t least, room;
    } tens, twos;
    mpq_t *fractions; /* sums of 1, 2, 4, 8, ... of them, those whose bit is set in their number */
    uint64_t fraction_count;
};

/* Adds the number, or takes it away.  NULL, or what is wrong with a fraction. */
const char *written_add(struct written_sum *sum, const struct written *number, bool take_away);
void written_add_double(struct written_sum *sum, double value, bool take_away);

/* total is the caller's, initialised. */
void written_total(const struct written_sum *sum, mpq_t total);
void written_sum_free(struct written_sum *sum);

/* value = of, with as many bits as that takes, where its denominator is a power of two; else rounded to odd: toward 0
 * to so many bits, the last of them set, which exact_round() rounds as it would `of`.  Whether it was rounded. */
bool written_to_odd(const mpq_t of, mpfr_prec_t bits, mpfr_t value);

/* of, which is not 0, to `digits` >= 1 decimal digits, rounded once, ties to even: as exact_decimal() writes them. */
char *written_decimal(const mpq_t of, int digits);

/* of, or of / by, rounded once: x / 0 is infinite, 0 / 0 is 0. */
double written_to_double(const mpq_t of, const mpq_t by, mpfr_rnd_t rounding);
