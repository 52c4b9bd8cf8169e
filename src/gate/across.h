/* Rules of the kind {metric: bits, same: "across(repeat, batch)"}: what came of the axes that the run varied. */
#pragma once

#include "finding.h"

/* Sets verdict, value, limit, unit and `varied`, and says why: failed where an axis of the rule changed the bits of the
 * series, or a variant gave no result; skipped where one was not varied. */
void across_judge(const struct check *check, struct finding *finding, struct text *said);
