/* One rule and one series: whether its limit holds, and what is said of it. */
#ifndef ULPSCOPE_RULE_JUDGE_H
#define ULPSCOPE_RULE_JUDGE_H

#include "finding.h"

/* Sets all of a finding that follows from its rule and its series: verdict, numbers, `said`. */
void rule_judge(const struct check *check, struct finding *finding);

#endif
