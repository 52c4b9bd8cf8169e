/* Hypotheses, each a function that tells an inquiry what it suspects.  What one costs is a length in bits: 2 of the
 * commonest, more of rarer ones, and log2 of the number of its variants (which elements?). */
#pragma once

#include "inquiry.h"

typedef void hypothesis(struct inquiry *inquiry);

/* cause_elements.c */
hypothesis last_left_out, first_left_out, one_left_out, run_left_out, one_twice;

/* One more term among those in changed_x and changed_y, and what all of them leave to be explained. */
double weigh_inserted(struct inquiry *inquiry, uint64_t at, double x, double y);

/* cause_roundings.c */
hypothesis elements_changed, partial_sums_rounded, result_rounded, result_of_integer, wrapped_around;

/* x_i, or x_i y_i rounded to binary64. */
static inline double term(const struct inquiry *inquiry, uint64_t i)
{
    return inquiry->y ? inquiry->x[i] * inquiry->y[i] : inquiry->x[i];
}

static inline double weigh_changed(struct inquiry *inquiry, uint64_t n)
{
    return inquiry_weigh(inquiry, inquiry->changed_x, inquiry->changed_y, n);
}
