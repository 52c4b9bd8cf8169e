/* How far sums of random orders scatter, by a model of their roundings: for plain additions alone.
 *
 * computed - s is the sum of the local errors (src/teach/additions.h).  plain/serial has a model of its own, which
 * knows the data (order_model.c).  In the other orders roundings are taken as random: of one addition, let w be the
 * ulp of what it makes, and g the finest step in which its exact result moves: the smaller ulp of its two numbers, but
 * not less than the lowest bit that any element has.  Where w <= g it is exact.  Else the exact result is a multiple of
 * g, and the model takes every such multiple between two numbers of the format as likely, and both ways of a tie:
 *
 *   mean 0, variance (w^2 + 2 g^2) / 12         w^2 / 12 for g << w, w^2 / 8 for g = w / 2: 0 or half a w
 *
 * (sum of (k g)^2 over |k g| < w/2 and half the two ties, over w/g residues).  They are taken as uncorrelated, so that
 * variances add up; the mean over random orders is taken over some of the very orders that are looked at.
 */
#pragma once

#include "shuffle.h"

enum { ORDER_MODEL_MOST_N = 1 << 20 };

struct order_model {
    double mean, deviation; /* of computed - s; NaN: there is no model */
};

/* None for products, other accumulators, other formats than binary32, other n, and where a sum overflows.  `base` is
 * what the orders of the request permute, `x` room for n numbers. */
enum status order_model(const struct shuffle_request *request, const struct method *method, const void *base,
                        uint64_t n, void *x, struct order_model *model);

/* So many orders the mean is taken over. */
uint64_t order_model_samples(const struct shuffle_request *request, uint64_t n);
