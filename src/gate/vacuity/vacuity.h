/* How strong are these limits on these data?  Every fault (fault.h) is done to every method of the run, on the run's
 * data, and the sums are held to the same limits: a fault that passes them all is a survivor. */
#pragma once

#include "src/gate/check.h"
#include "src/gate/fault.h"

enum fate {
    FATE_KILLED,
    FATE_SURVIVED,   /* with other bits than the method's own */
    FATE_UNSEEN,     /* it gives the method's own bits on all of these data: a survivor as well */
    FATE_NOT_JUDGED, /* the method itself fails these limits on all data that a rule is about, or no rule is about it */
    FATES
};
extern const char *const fate_words[FATES];

struct broken_sum {
    const struct fault *fault;
    const char *method; /* "kahan/tree_two_pass" */
    enum fate fate;
    const struct rule *killer;      /* the first rule that it fails; or NULL */
    uint64_t killed_series, series; /* of those that it was done to: not of long data, where shorter ones killed it */
    char *advice; /* of a survivor: the data, and where they alone don't suffice the rule, that would kill it: it was
                     tried */
};

struct vacuity {
    struct broken_sum *sums; /* by fault, then method */
    size_t count;
    size_t by[FATES];
};

/* `check` as check_make() made it of the run itself.  Free it also after a failure. */
enum status vacuity_run(const struct check *check, unsigned workers, bool quiet, struct vacuity *vacuity);
/* Whether the limits are sharp: no fault survives, and at least one was held to them. */
bool vacuity_passes(const struct vacuity *vacuity);
void vacuity_free(struct vacuity *vacuity);
