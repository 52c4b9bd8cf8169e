/* A verdict in words. */
#pragma once

#include "limit.h"
#include "problem.h"

/* Beside what is in a verdict: the tree that a bound is of, and how many zeros would pass. */
struct words_of {
    const struct problem *problem;
    const struct library_limit *limit;
    struct plain_tree tree;
    uint64_t zeros_pass;
};

/* verdict->words, of what else is in it. */
void words_write(const struct words_of *of, struct ulpscope_verdict *verdict);
