/* Which methods are drawn where there is not room for all: those whose sums scatter most, from the widest on.
 *
 *   plain/serial, plain/strided_serial with the same sums, plain/pairwise, kahan/serial      the 1st, the 3rd, the 4th
 */
#pragma once

#include "shuffle.h"

/* Indices of methods, at most `most`, by falling standard deviation; of those with the same sums equally often the
 * first alone, and none without a finite error.  Returns how many. */
size_t widest_methods(const struct shuffled *shuffled, size_t most, size_t *chosen);
