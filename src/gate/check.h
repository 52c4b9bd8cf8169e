/* A run held to limits and a baseline.
 *
 *   struct check check = {.results = &results, .limits = &limits, .baseline = &baseline, .today = date_today()};
 *   TRY(check_make(&check));
 *   check.findings[i] ...
 *   check_free(&check);
 */
#pragma once

#include "finding.h"
#include "idle_rules.h"

/* BAD_INPUT when a rule matches nothing, or has nothing to compare; all findings are made nevertheless.  Free it also
 * after a failure. */
enum status check_make(struct check *check);

/* The findings of some series alone, in the order of series and rules: rules that say nothing, what the run lacks and
 * what expired are left out. */
void check_series(struct check *check, size_t first, size_t count);
void check_free(struct check *check);

/* Whether it passes: nothing fails or expired, no kernel differs from its replay, no series has empty rules alone. */
bool check_passes(const struct check *check);

/* Whether all that the study has was measured: what was not is held to nothing. */
bool check_is_complete(const struct check *check);
