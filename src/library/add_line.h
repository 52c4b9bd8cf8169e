/* Exact sums of lines of numbers, wherever they are in memory, one after the other with the same counters. */
#pragma once

#include "conclude.h"

/* Of one thread. */
struct adder {
    const struct format *held; /* what numbers are read as */
    bool products;
    struct bins fresh, bins;
};

/* After a failure it is empty, and may be closed. */
enum status adder_open(struct adder *adder, const struct format *held, bool products);
void adder_close(struct adder *adder);

/* The sum of x, or of the products of x and y; y is NULL for a sum.  *sum is good until the next. */
enum status adder_add(struct adder *adder, const struct line *x, const struct line *y, unsigned workers,
                      struct added_sum *sum);
