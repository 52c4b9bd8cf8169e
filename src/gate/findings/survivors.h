/* Faults that pass the limits, for people: those of several methods that the same would kill are listed once.
 *
 *   "drop_tail_of_4 in plain/serial and 6 methods more: 10 trials of data "uniform:n=1001" would kill it under line 4"
 */
#pragma once

#include "src/gate/vacuity/vacuity.h"

struct survivor {
    const struct broken_sum *sum; /* the first */
    size_t count;                 /* methods */
};

struct survivors {
    struct survivor *list; /* in the order of the sums */
    size_t count;
};

/* NULL: there are none. */
void survivors_make(const struct vacuity *vacuity, struct survivors *survivors);
void survivors_free(struct survivors *survivors);

/* Whether a fault passed all limits. */
bool survived(const struct broken_sum *sum);

/* Printable, allocated. */
char *survivor_text(const struct survivor *survivor);
