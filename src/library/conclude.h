/* What follows from an exact sum: its value, and how far a computed number is from it.  No MPFR, which ends the program
 * where memory is short: integers, each rounded once. */
#pragma once

#include "problem.h"

#include "reference/bins.h"
#include "reference/exact_element.h"

/* A sum that has been added up: bins that are folded, of n terms, the last of which is last[0] last[1]. */
struct added_sum {
    const struct bins *bins;
    uint64_t n;
    double last[2];
};

/* What the rules of IEEE 754 make of infinities and NaNs among the terms; 0 where there are none. */
double special_sum(const struct bins *bins);

/* Of a result that has no finite exact value: an infinity or NaN. */
void conclude_special(double special, const double *computed, struct ulpscope_error *error);

/* All of *error but its bound.  computed: NULL where nothing was; then the error is 0. */
void conclude_sum(const struct added_sum *sum, const struct format *result, const double *computed,
                  struct ulpscope_error *error);

/* What is said of the correct rounding of the sum of all terms but the last. */
void conclude_without_last(const struct added_sum *sum, const struct format *result, struct ulpscope_error *error);

/* Adds a number to totals, or takes it off. */
void total_number(struct bins *folded, double number, bool subtract);

/* An element of a matrix product, whose numbers are rounded up already: what follows from them is rounded up once
 * more.  false where they are too large or small for that: then the element must be added up. */
bool conclude_element(const struct exact_element *element, double computed, struct ulpscope_error *error);
