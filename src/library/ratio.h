/* Large integers: their ratios, rounded up to binary64 once, which is what errors and conditions are; and numbers as
 * integers times a power of two. */
#pragma once

#include "reference/limbs.h"

#include <stdint.h>

enum { RATIO_LIMBS_MOST = 216 };

/* a / b 2^exponent, of n limbs each, least significant first; 0 / 0 is `of_zeros`, and any other a / 0 infinite. */
double ratio_up(const uint64_t *a, const uint64_t *b, unsigned n, int exponent, double of_zeros);

/* |number| = significand 2^place */
uint64_t significand_of(double number, int *place);
