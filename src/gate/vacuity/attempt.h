/* A series that a method, or a method with a fault, gives on a candidate: a study of one method and one data set. */
#pragma once

#include "candidate.h"
#include "src/gate/fault.h"
#include "stand_in.h"

struct attempt {
    bool is_made;
    struct spec_record spec;
    struct entry_record entry;
    struct method_record method;
    struct launch launch;
    struct stand_in stand_in; /* its results have one series */
};

/* The method, its launch and its backend are those of `like`, a series of the results.  `fault` NULL: none.  Does
 * nothing the second time.  Free it also after a failure. */
enum status attempt_make(struct attempt *attempt, const struct results *results, const struct series *like,
                         const struct fault *fault, const struct candidate *candidate);
void attempt_free(struct attempt *attempt);
