/* Limits and data that were sought against a method: a limit that random data meet may be broken by others. */
#pragma once

#include "finding.h"

/* Says of each failure on attacked data whose rule all random data of the method meet that they alone do. */
void attacked_data_tell(struct check *check);

/* Where a limit that is a number, rather than a bound, holds and was held to random data alone: the spec to add, in a
 * sentence.  Allocated; NULL: there is none such, or attacked data are there. */
char *attacked_data_advice(const struct check *check);
