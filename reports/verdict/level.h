/* How good some sums are, in a word and a colour: the level of their worst error.
 *
 *   exact          every sum is s itself, or "as IEEE" the NaN or infinity that IEEE 754 gives
 *   correctly rounded  within half an ulp of s, the best that a rounding allows
 *   within 1 ulp, within 4 ulp, within target
 *                  (of matrix products: within 1 u |A||B|, within 4 u |A||B|)
 *   5 digits       of a larger error, by the relative error
 *   no digit, overflow, nan ...
 */
#pragma once

#include "reports/outcome.h"
#include "reports/target.h"

/* The word and the tone, TONE_EXACT to TONE_NO_DIGIT; "-" and TONE_PLAIN when there was no sum. */
enum tone level_of(const struct outcome *outcome, const struct target *target, char word[OUTCOME_TEXT]);

/* Whether the worst error is within the target; NaN is not. */
bool level_is_within(const struct outcome *outcome, enum metric metric, double limit);

/* What a limit of a metric is counted in: "ulp", "u |A||B|". */
const char *limit_unit(enum metric metric);

/* "within 2 ulp", "within a relative error of 1e-6" */
enum { LIMIT_TEXT = 96 };
void limit_text(const struct target *limit, char text[LIMIT_TEXT]);
