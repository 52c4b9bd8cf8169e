/* Methods that are not run, told a line a reason: 14 that refuse atomics for one cause are one line.
 *
 *   skipping kahan/tree_atomic, klein/tree_atomic, binned/tree_atomic and 11 more at 120 x 256: no atomic merge: ...
 */
#pragma once

#include "kernels/method.h"
#include "src/base/text.h"

struct refusals {
    struct refusal {
        char why[REASON_SIZE];
        struct text names; /* of the first methods */
        size_t count;
    } * list;
    size_t count;
};

void refusals_add(struct refusals *refusals, const char *method, const char *why);

/* "VERB METHODS PLACE: REASON", then forgets them; with `quiet` it only forgets. */
void refusals_tell(struct refusals *refusals, const char *verb, const char *place, bool quiet);
