/* Which faults passed the limits, for people. */
#pragma once

#include "src/gate/vacuity/vacuity.h"

#include "reports/grid.h"

/* A line per fault: how many methods have which fate with it.  Of those that all methods' limits see only if `all`. */
struct grid vacuity_table(const struct vacuity *vacuity, bool all);
