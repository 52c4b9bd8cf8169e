/* Whether two methods give different sums of the same elements: the question of `explain`
 * (src/teach/shrink/question.h).
 *
 *   A and B differ on n elements when the numbers that their replays, or plug-ins, return differ; a NaN is like every
 * other NaN, and a zero is not like that of the other sign.
 */
#pragma once

#include "src/teach/shrink/question.h"

/* Zeros have a sign, and a NaN is like every other. */
bool contrast_same(const double sums[2]);

enum status contrast_ask(const struct question *question, const void *const vectors[], uint64_t n, bool *yes);
