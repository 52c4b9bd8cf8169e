/* An exact running sum, for generators that steer by it: a fixed-point number wide enough for every sum of 2^40 numbers
 * of any format, or of 2^40 products of two of binary32.
 *
 *   clear, add 0x1p100, add 1, add -0x1p100:  1
 *
 * Limbs of 64 bits, two's complement, the unit 2^-1074, of which every binary64 is a whole number.  The limbs end with
 * one that is all sign, and no more of these than needed, so that adding and reading touch the few limbs that say
 * something: 11 ns for both, beside 87 for mpfr_add_d and mpfr_get_d.
 */
#pragma once

#include "src/base/base.h"

enum { RUNNING_SUM_LIMBS = 35 }; /* 2^40 2^1024 is 2^2138 units: 34 limbs, and the sign */

struct running_sum {
    uint64_t limb[RUNNING_SUM_LIMBS]; /* the least first; those from `count` on mean nothing */
    int count;                        /* at least 3: reading takes two limbs below the sign */
    int least;                        /* all limbs below this one are 0 */
};

void running_sum_clear(struct running_sum *sum);

/* x is finite. */
void running_sum_add(struct running_sum *sum, double x);

/* Rounded to nearest, ties to even; +0 for 0.  INFINITY beyond the format's range, subnormal at its lower end. */
double running_sum_binary64(const struct running_sum *sum);
double running_sum_in(const struct format *format, const struct running_sum *sum);

/* sum - x rounded to the format, once. */
double running_sum_minus(const struct format *format, struct running_sum *sum, double x);

bool running_sum_is_zero(const struct running_sum *sum);
bool running_sum_is_negative(const struct running_sum *sum);
