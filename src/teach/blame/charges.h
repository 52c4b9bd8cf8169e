/* Who pays for what additions lose: every element a share, so that the shares add up to the sum of |local errors|.
 *
 *   plain/serial on 2^24, 1, 3     node 3   2^24 + 1   loses 1    charged to x1, whose bit did not fit
 *                                  node 5   2^24 + 3   loses 1    charged to x2, 2^24 + 3 being made 2^24 + 4
 *
 * Each addition charges its loss to the operand of smaller magnitude, of equal ones to the right one: its low bits are
 * those that do not fit beside the other.  An element pays that itself.  A partial sum hands it down to its elements in
 * proportion to |x_i|: each unit of them pays |error| / sum |x_j|, and what it pays for all additions above it is its
 * rate, which takes O(n) from the root down.  An operand whose elements are all 0 has nothing to pay from: the other
 * one is charged.  A product pays its own error, too; beside that it is charged as an element of its value is.
 *
 * Another answer is the backward error (Higham 2002, section 4.2): computed = sum of x_i (1 + delta)(1 + delta') ..., a
 * factor for each addition above x_i, delta being the local error by what should have been made.  So x_i is treated as
 * if it were changed by x_i ((1 + delta)(1 + delta') ... - 1), and these changes add up to computed - s.
 * Of a product it is the change of x_i y_i.
 */
#pragma once

#include "src/teach/additions.h"

struct charges {
    double *rate;   /* of a join k: what a unit of |x| below it pays for the additions above it, itself left out; of a
                       leaf: what it pays itself, for the addition it takes part in and for its product */
    double *growth; /* of a join k: the product of 1 + delta over it and all above it, and of the last rounding, less 1;
                       NaN where something was lost from nothing, as a merge may */
    double last;    /* the last rounding by what it rounds */
};

/* Of additions that are finite.  NOT_MEASURED when memory is short; *charges is then empty. */
enum status charges_make(const struct additions *of, struct charges *charges);
void charges_free(struct charges *charges);

/* What element i pays in all. */
double charges_of(const struct charges *charges, const struct additions *of, uint64_t i);

/* Of it what it pays as an operand. */
double charges_itself(const struct charges *charges, const struct additions *of, uint64_t i);

/* Its backward error: the change of x_i. */
double charges_backward(const struct charges *charges, const struct additions *of, uint64_t i);
