/* A verdict in words. */
#pragma once

#include "library_limit.h"
#include "problem.h"
#include "results.h"
#include "statistic_bound.h"

/* Beside what is in a verdict: the tree that a bound is of, and how many zeros would pass. */
struct words_of {
    const struct problem *all, *problem; /* problem: that of the worst */
    const struct ulpscope_error *first;  /* of a scan the first that fails, in this row and column */
    uint64_t row, column;
    const struct moments *moments; /* of the worst; NULL: there are none */
    const struct library_limit *limit;
    struct plain_tree tree;
    uint64_t zeros_pass;
    bool has_rows; /* of a softmax that is defined */
};

/* verdict->words, of what else is in it. */
void words_write(const struct words_of *of, struct ulpscope_verdict *verdict);
