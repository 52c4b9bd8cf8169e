/* One rule and one series: whether its limit holds, and what is said of it. */
#pragma once

#include "finding.h"

/* Sets all of a finding that follows from its rule and its series: verdict, numbers, `said`. */
void rule_judge(const struct check *check, struct finding *finding);
