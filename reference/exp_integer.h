/* e^-t as an integer of 128 bits, for the sums of exponentials.c and the quotients of softmax.c.
 *
 *   e^-0.5 = 1.2130.. 2^-1: (0x4da2cbf1.. +- 20) 2^-126 and k = 1 */
#pragma once

#include "limbs.h"

#include <math.h>

enum { EXP_PLACES = 126, EXP_OFF = 20, EXP_LEAST = -1100 };

/* Once, before any. */
void exp_integer_begin(void);

/* e^(high + low) = (v +- EXP_OFF) 2^-(EXP_PLACES + k), v about 2^126 to 2^127, k >= 1, of EXP_LEAST < high <= 0 and
 * |low| <= 2^-53 |high|. */
limbs_wide exp_integer(double high, double low, int *k);

/* a b 2^-126, rounded down, where that is less than 2^128. */
static inline limbs_wide exp_product(limbs_wide a, limbs_wide b)
{
    const uint64_t a_high = (uint64_t)(a >> 64), a_low = (uint64_t)a, b_high = (uint64_t)(b >> 64), b_low = (uint64_t)b;
    const limbs_wide one = (limbs_wide)a_high * b_low, other = (limbs_wide)a_low * b_high;
    const limbs_wide middle = ((limbs_wide)a_low * b_low >> 64) + (uint64_t)one + (uint64_t)other;
    const limbs_wide high = (limbs_wide)a_high * b_high + (one >> 64) + (other >> 64) + (middle >> 64);
    return high << 2 | (uint64_t)middle >> 62;
}
