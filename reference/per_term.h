/* The second opinion of the reference: one mpfr_add a term, each with its ternary value checked.  A hundred times as
 * slow as bins.h and sharing no code with it, not even the test for a special number: exact_how.verify runs it beside
 * the bins.
 */
#pragma once

#include "exact.h"

/* Adds x[0..n), or the products x_i y_i where y is not NULL, to n, the sums, counts, exponents and max_abs of *exact,
 * whose format is that of the data.  NOT_MEASURED when an addition rounds. */
enum status per_term_add(struct exact_sum *exact, const void *x, const void *y, uint64_t n);

/* Whether every field of the two is the same; else complains of the first that is not and returns NOT_MEASURED. */
enum status per_term_agrees(const struct exact_sum *bins, const struct exact_sum *per_term);
