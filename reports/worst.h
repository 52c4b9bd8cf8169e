/* The worst sum of each method, over all data, and its exact sum as people read it. */
#pragma once

#include "src/base/number.h"
#include "src/results/results.h"

/* The series that hold them, in the order of the study; NaN is worse than every number.  Allocated. */
void worst_of_methods(const struct results *results, const struct series ***worst, size_t *count);

/* Rounded to 17 digits; "-" when it was not stored. */
void worst_exact_decimal(const struct series *series, char text[NUMBER_TEXT]);

/* The hex-float, cut in the middle when it is long: "0x1.921fb54442d18469...5p-3"; false when it was not stored. */
enum { WORST_EXACT_TEXT = 64 };
bool worst_exact_hex(const struct series *series, char text[WORST_EXACT_TEXT]);
bool worst_exact_is_long(const struct series *series);
