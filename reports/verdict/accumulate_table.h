/* Which format may I accumulate in?  The same numbers, added in different formats. */
#pragma once

#include "verdict_table.h"

/* Whether the methods of the run have more than one format. */
bool formats_vary(const struct verdict *verdict);

#define ACCUMULATE_LEGEND                                                                                              \
    "The same numbers, added in different formats: the worst sum of plain additions, in any order, and of the method " \
    "whose worst is least."

/* A line for each row of the verdict and each format that its numbers are added in. */
struct grid accumulate_grid(const struct results *results, const struct verdict *verdict);
