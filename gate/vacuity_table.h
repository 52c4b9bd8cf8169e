/* Which faults passed the limits, for people. */
#ifndef ULPSCOPE_VACUITY_TABLE_H
#define ULPSCOPE_VACUITY_TABLE_H

#include "vacuity.h"

#include "../reports/grid.h"

/* A line a fault: how many methods have which fate with it. */
struct grid vacuity_table(const struct vacuity *vacuity);

/* Of a survivor: "drop_last in kahan/serial: uniform:n=100 kills it".  Printable, allocated; NULL when memory is
 * short. */
char *vacuity_survivor(const struct broken_sum *sum);

#endif
