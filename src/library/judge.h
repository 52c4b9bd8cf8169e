/* Results held to a limit. */
#pragma once

#include "problem.h"

#include "kernels/plain_tree.h"

/* That of a finite result of plain addition in a tree, in the format that the problem is added in. */
double judge_bound(const struct problem *problem, struct plain_tree tree, const struct ulpscope_value *value);

/* *verdict is set where the result is ULPSCOPE_OK. */
ulpscope_status judge(const struct problem *problem, const void *computed, const char *limit,
                      struct ulpscope_verdict *verdict);
