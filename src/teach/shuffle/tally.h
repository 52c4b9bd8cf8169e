/* From the sums of a method in P orders to what is reported of them. */
#pragma once

#include "shuffle.h"

/* Fills in all of `of` but the method and the theory.  sums: of shuffled:first ...; given: of the data as they are. */
enum status tally_sums(const struct shuffled *shuffled, const double *sums, double given, struct shuffled_method *of);
