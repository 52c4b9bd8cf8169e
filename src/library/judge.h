/* Results held to a limit. */
#pragma once

#include "problem.h"

/* Of a finite result of plain addition in a tree of a height (the terms: in any order), in the format that the problem
 * is added in. */
double judge_bound(const struct problem *problem, uint64_t height, const struct ulpscope_value *value);

/* *verdict is set where the result is ULPSCOPE_OK. */
ulpscope_status judge(const struct problem *problem, const void *computed, const char *limit,
                      struct ulpscope_verdict *verdict);
