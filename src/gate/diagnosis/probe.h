/* Whether this program's own method has a fault: then a run that it made and its replay agree, and both are wrong. */
#pragma once

#include "datasets/dataset.h"
#include "elements.h"

enum { PROBES_MOST = 16 };

/* Data on which a sound method differs from itself with any fault. */
struct probes {
    struct dataset data[PROBES_MOST], wide[PROBES_MOST]; /* in binary32; likewise, in binary64 */
    size_t count;
};

enum status probes_make(struct probes *probes);
void probes_free(struct probes *probes);

/* Appends plain and the faults that change no bit of the method on any of them: it has them already.  Those alone that
 * its sums of integers allow.  Nothing for a method that cannot do their launch. */
enum status probes_accuse(const struct probes *probes, struct claimed_method claimed, const struct elements *elements,
                          struct hypotheses *accused);
