/* Every result of a problem beside its exact value, one after the other. */
#pragma once

#include "problem.h"

#include "src/base/moments.h"

/* What is said of a result; without a bound, which callers may ask for.  without_last: the same of the correct rounding
 * of the sum without its last term; NULL where nobody asks.  moments: what a statistic's bound takes of its row; NULL:
 * it is a sum, or has no finite value. */
struct result {
    uint64_t row, column;
    const struct ulpscope_error *error, *without_last;
    const struct moments *moments;
};

struct visitor {
    void (*visit)(void *context, const struct result *result);
    void *context;
    bool wants_without_last, wants_moments;
};

/* Row after row.  computed: of the result's format, contiguous; NULL: none, and errors are 0. */
ulpscope_status results_visit(const struct problem *problem, const void *computed, const struct visitor *visitor);
