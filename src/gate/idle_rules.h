/* Rules that hold nothing: no series is like them, or none can be compared.  A gate of such rules would pass anything.
 */
#pragma once

#include "finding.h"

/* Counts them.  BAD_INPUT where there is one, with a complaint for each: what the run has instead. */
enum status idle_rules_refuse(struct check *check);

/* Whether a rule of a check that was made holds nothing. */
bool check_is_idle(const struct check *check, size_t rule);
