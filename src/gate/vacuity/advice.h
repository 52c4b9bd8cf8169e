/* What would kill a survivor: data that are known to hurt, tried one after another. */
#pragma once

#include "vacuity.h"

/* Sets the advice of every sum that survived: of the data under the rules that the limits have, under `limit: auto`,
 * under exact bits, under the bits of a baseline, the first that kills it and that the method itself passes. */
enum status advise(const struct check *check, unsigned workers, struct vacuity *vacuity);
