/* Words of an attack that several outputs share.  Allocated. */
#pragma once

#include "attack_result.h"

/* "97.3 % of its bound", "12.4 ulp": a value of what is climbed, rounded up. */
char *attack_words_value(enum attack_climbs climbs, double value);

/* "3 numbers: 16777216, 1, 1"; of more than a few how many are negative, and their binades. */
char *attack_words_numbers(const struct format *format, const void *x, const struct exact_sum *exact);

/* The sentence on the witness. */
char *attack_words_witness(const struct attack_result *attacked);
