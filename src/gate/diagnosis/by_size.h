/* A mean, variance or norm whose bits are nobody's: with a fault that is much larger than its rounding errors it has
 * the fault's values, in whatever order it adds.  They are made in binary64 where that can be, by two passes. */
#pragma once

#include "suspect.h"

enum status hypotheses_by_size(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses);

/* The sum of a pass with a change of moments. */
struct changed_moments {
    struct change change;
    const struct dataset *data;
};
enum status sum_of_moments(const void *changed, const struct fault_call *call, uint64_t *bits);

/* Whether results of a job's data set have the values of its hypothesis, `bits`, where sound ones have not. */
enum status has_sizes(struct job *job, const struct dataset *data, const uint64_t *bits, bool *has);
