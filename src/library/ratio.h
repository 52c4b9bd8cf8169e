/* Ratios of large integers, rounded up to binary64 once: what errors and conditions are. */
#pragma once

#include <stdint.h>

/* a / b of n limbs each, least significant first; 0 / 0 is `of_zeros`, and any other a / 0 infinite. */
double ratio_up(const uint64_t *a, const uint64_t *b, unsigned n, double of_zeros);

enum { RATIO_LIMBS_MOST = 80 };
