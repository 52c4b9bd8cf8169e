/* Looks for the elements that a sum counted twice or left out, wherever they are. */
#pragma once

#include "datasets/dataset.h"
#include "hypothesis.h"

/* A data set, what is said to be its sum, and what the method gives. */
struct sample {
    const struct dataset *data;
    double computed, sound;
    double s; /* exact, rounded */
};

/* Appends what would explain the difference between computed and sound in all samples, roundings apart: the nearest
 * few.  Each is a guess, to be tried.  `n`: elements of each sample.  *all: no element but these may be it. */
enum status search_changes(struct claimed_method claimed, const struct sample *samples, size_t count, uint64_t n,
                           struct hypotheses *hypotheses, bool *all);
