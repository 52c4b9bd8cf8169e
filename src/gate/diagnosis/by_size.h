/* A mean, variance or norm whose bits are nobody's: with a fault that is much larger than its rounding errors it has a
 * known fault's values, whatever its order.  Values are made in a wider format, where there is one, and compared with
 * the results of each data set. */
#pragma once

#include "suspect.h"

enum status hypotheses_by_size(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses);

/* The sum of one pass, of parts whose moments are merged with a fault.  `context`: a struct parts_of. */
struct parts_of {
    struct parts parts;
    const struct dataset *data;
};
enum status sum_in_parts(const void *context, const struct fault_call *call, uint64_t *bits);
void parts_say(struct parts parts, struct text *to);

/* Whether the results of a job's data set have the values of its hypothesis, `bits`, where sound ones have not. */
enum status has_sizes(const struct job *job, const struct dataset *data, uint64_t *bits, bool *has);
