/* What "auto" allows of a mean or a variance. */
#pragma once

#include "problem.h"

#include "kernels/plain_tree.h"

/* Whether there is a bound of such a problem at all. */
bool statistic_has_bound(const struct problem *problem);

/* That of a finite result of plain additions in a tree, in the format that the problem is added in, as is the formula:
 * of a mean by a sum that is divided, times 1/n, or of x/n; of a variance by two passes, corrected or not, and, in any
 * order (height n), by Welford's steps.  INFINITY: none is claimed. */
double statistic_bound_of(const struct problem *problem, struct plain_tree tree, const struct ulpscope_value *value);
