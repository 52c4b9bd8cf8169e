/* Results held to a limit. */
#pragma once

#include "results.h"
#include "statistic_bound.h"

/* That of a finite result of plain addition in a tree, in the format that the problem is added in; moments: of its row,
 * as results have them. */
double judge_bound(const struct problem *problem, struct plain_tree tree, const struct ulpscope_value *value,
                   const struct moments *moments);

/* The same of results that come row after row; *line is that of the row, made at its first. */
double judge_bound_at(const struct problem *problem, struct plain_tree tree, const struct result *result,
                      struct bound_line *line);

/* *verdict is set where the result is ULPSCOPE_OK. */
ulpscope_status judge(const struct problem *problem, const void *computed, const char *limit,
                      struct ulpscope_verdict *verdict);
