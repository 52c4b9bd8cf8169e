/* A run held to limits and a baseline.
 *
 *   struct check check = {.results = &results, .limits = &limits, .baseline = &baseline, .today = date_today()};
 *   TRY(check_make(&check));
 *   check.findings[i] ...
 *   check_free(&check);
 */
#pragma once

#include "finding.h"

/* Rules that hold nothing: no series is like them, or none can be compared.  A gate of such rules would pass anything.
 */

/* Counts them.  BAD_INPUT where there is one, with a complaint for each: what the run has instead. */
enum status idle_rules_refuse(struct check *check);

/* Whether a rule of a check that was made holds nothing. */
bool check_is_idle(const struct check *check, size_t rule);

/* BAD_INPUT when a rule matches nothing, or has nothing to compare; all findings are made nevertheless.  Free it also
 * after a failure. */
enum status check_make(struct check *check);

void check_free(struct check *check);

/* Whether it passes: nothing fails or expired, no kernel differs from its replay, no series has empty rules alone. */
bool check_passes(const struct check *check);

/* Whether all that the study has was measured: what was not is held to nothing. */
bool check_is_complete(const struct check *check);

/* One rule and one series: whether its limit holds, and what is said of it. */

/* Sets all of a finding that follows from its rule and its series: verdict, numbers, `said`. */
void rule_judge(const struct check *check, struct finding *finding);

/* Rules of the kind {metric: bits, same: "across(repeat, batch)"}: what came of the axes that the run varied. */

/* Sets verdict, value, limit, unit and `varied`, and says why: failed where an axis of the rule changed the bits of the
 * series, or a variant gave no result; skipped where one was not varied. */
void across_judge(const struct check *check, struct finding *finding, struct text *said);
