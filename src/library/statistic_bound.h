/* What "auto" allows of means, variances and their like. */
#pragma once

#include "problem.h"

#include "kernels/plain_tree.h"
#include "src/base/moments.h"

/* Whether there is a bound of such a problem at all. */
bool statistic_has_bound(const struct problem *problem);

/* of_0 + growth |s|: what it is of a result of |s|; all results of a row have one line. */
struct bound_line {
    double of_0, growth;
};

double bound_at(struct bound_line line, double abs_s);

/* That of a finite result of plain additions in a tree, in the format that the problem is added in, as is the formula:
 * of a mean by a sum that is divided, times 1/n, or of x/n; of a variance by two passes, corrected or not, and, in any
 * order (height n), by Welford's steps; of a layer norm with a variance by two passes or Welford's steps, whether x - m
 * is divided by the root or times its reciprocal; of the others as their definition has it.  INFINITY: none is claimed.
 * moments: NULL where a row has no finite value. */
struct bound_line statistic_bound_line(const struct problem *problem, struct plain_tree tree,
                                       const struct moments *moments);
