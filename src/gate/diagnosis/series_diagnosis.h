/* Series diagnosed, whoever wants to know: a check of those that fail (diagnosis.h), a run of its black boxes
 * (black_boxes.h). */
#pragma once

#include "suspect.h"

struct wanted_series {
    const bool *list;        /* by series of the results */
    const bool *has_changed; /* likewise: whether it is held to a baseline, and is another; NULL: none is */
};

/* Calls tell() with each wanted series, in their order, when all have a cause; with no more than `additions`, of all
 * together. */
typedef void suspect_visitor(void *context, const struct suspect *suspect);
enum status diagnose_series(const struct wanted_series *wanted, const struct results *results, uint64_t additions,
                            unsigned workers, suspect_visitor *tell, void *context);
